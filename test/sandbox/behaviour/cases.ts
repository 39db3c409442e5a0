import type { Case } from './case.ts';
import { answerCases } from './cases/answers.ts';
import { deliveryCases } from './cases/deliveries.ts';
import { errorBodyCases } from './cases/error-bodies.ts';
import { keyCases } from './cases/keys.ts';
import { limitCases, scopeCases } from './cases/limits.ts';
import { listEnvelopeCases } from './cases/list-envelopes.ts';
import { orderCases } from './cases/orders.ts';
import { pagingCases } from './cases/paging.ts';
import { refusalCases } from './cases/refusals.ts';

export const cases: Case[] = [
  ...scopeCases,
  ...limitCases,
  ...orderCases,
  ...deliveryCases,
  ...answerCases,
  ...errorBodyCases,
  ...listEnvelopeCases,
  ...pagingCases,
  ...keyCases,
  ...refusalCases,
];
