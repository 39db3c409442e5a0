import type { Mutant } from './mutant.ts';
import { api } from './rooms/api.ts';
import { compares } from './rooms/compare.ts';
import { creates } from './rooms/create.ts';
import { wholeFiles } from './rooms/files.ts';
import { ledger } from './rooms/ledger.ts';
import { orders } from './rooms/orders.ts';
import { output } from './rooms/output.ts';
import { pacing } from './rooms/pacing.ts';
import { payments } from './rooms/payment.ts';
import { reading } from './rooms/reading.ts';
import { responses } from './rooms/responses.ts';
import { rows } from './rooms/rows.ts';
import { sandbox } from './rooms/sandbox.ts';
import { send } from './rooms/send.ts';

const rooms: Readonly<Record<string, readonly Mutant[]>> = {
  ledger,
  send,
  create: creates,
  responses,
  compare: compares,
  pacing,
  api,
  output,
  files: wholeFiles,
  rows,
  payment: payments,
  reading,
  orders,
  sandbox,
};

/** Every mutant, named `room/name`. */
export const mutants: readonly Mutant[] = Object.entries(rooms).flatMap(([room, ofRoom]) =>
  ofRoom.map((mutant) => ({ ...mutant, name: `${room}/${mutant.name}` })),
);
