import type { Case } from './case.ts';
import { deliveryCases } from './cases/deliveries.ts';
import { errorBodyCases } from './cases/error-bodies.ts';
import { keyCases } from './cases/keys.ts';
import { limitCases, scopeCases } from './cases/limits.ts';
import { listEnvelopeCases } from './cases/list-envelopes.ts';
import { orderCases } from './cases/orders.ts';
import { pagingCases } from './cases/paging.ts';
import { refusalCases } from './cases/refusals.ts';
import { responseCases } from './cases/responses.ts';

export const cases: Case[] = [
  ...scopeCases,
  ...limitCases,
  ...orderCases,
  ...deliveryCases,
  ...responseCases,
  ...errorBodyCases,
  ...listEnvelopeCases,
  ...pagingCases,
  ...keyCases,
  ...refusalCases,
];
