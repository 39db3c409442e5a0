import * as z from 'zod';
import { afterCommit, beforeCommit, retryAfterForms, withoutBody } from './fault-actions.ts';

const text = z.string().min(1);

const match = z
  .strictObject({
    method: z.enum(['GET', 'POST']).optional().describe('The method of the request'),
    route: z.enum(['create', 'get', 'list', 'cancel']).optional().describe('The operation'),
    externalOrderId: text
      .optional()
      .describe('The externalOrderId of the order, except of a list; * stands for any text'),
    customerPhone: text.optional().describe('The customer.phone of a create; * stands for any text'),
    attempt: z
      .union([
        z.int().min(1),
        z.strictObject({ from: z.int().min(1).default(1), to: z.int().min(1).optional() }),
      ])
      .optional()
      .describe('The number of the attempt at the same order or list, from 1; or {"from", "to"}'),
    probability: z.number().gt(0).max(1).default(1).describe('The share of the matching requests'),
  })
  .prefault({});

/** For an action that exists, but not at this time. */
function wrongTime(when: string, other: readonly { shape: { kind: { value: string } } }[]) {
  return ({ input }: { input?: unknown }): string | undefined => {
    const { kind } = Object(input);
    const isOther = other.some(({ shape }) => shape.kind.value === kind);
    return isOther ? `${kind} needs "when": "${when}"` : undefined;
  };
}

const before = z.discriminatedUnion('kind', beforeCommit, { error: wrongTime('after_commit', afterCommit) });
const after = z.discriminatedUnion('kind', afterCommit, { error: wrongTime('before_commit', beforeCommit) });
const rule = z.discriminatedUnion('when', [
  z.strictObject({ match, when: z.literal('before_commit'), do: before }),
  z.strictObject({ match, when: z.literal('after_commit'), do: after }),
]);

const rules = z.array(rule).superRefine((given, context) => {
  for (const [place, one] of given.entries()) {
    for (const [field, reason] of reasonsAgainst(one, given.slice(0, place))) {
      context.addIssue({ code: 'custom', path: [place, ...field], message: reason });
    }
  }
});

const methodOf = { create: 'POST', cancel: 'POST', get: 'GET', list: 'GET' } as const;

/** Why a rule can never apply as it is written, with the field at fault. */
function* reasonsAgainst(
  { match, do: action }: Rule,
  earlier: readonly Rule[],
): Generator<[string[], string]> {
  const { method, route, attempt, externalOrderId, customerPhone } = match;
  if (method && route && methodOf[route] !== method) {
    yield [['match', 'method'], `can never match: the method of ${route} is ${methodOf[route]}`];
  }
  if (externalOrderId !== undefined && route === 'list') {
    yield [['match', 'externalOrderId'], 'can never match: a list is not of one order'];
  }
  if (customerPhone !== undefined && ((route ?? 'create') !== 'create' || method === 'GET')) {
    yield [['match', 'customerPhone'], 'can never match: only a create has a customer.phone'];
  }
  if (customerPhone !== undefined && !/[\d*]/.test(customerPhone)) {
    yield [['match', 'customerPhone'], 'can never match: it has no digit'];
  }
  if (typeof attempt === 'object' && attempt.to !== undefined && attempt.from > attempt.to) {
    yield [['match', 'attempt'], `can never match: from ${attempt.from} is after to ${attempt.to}`];
  }
  const first = earlier.findIndex((other) => takesAll(other, match));
  if (first >= 0) yield [['match'], `can never match: rules[${first}] applies to all these requests`];
  if (action.kind === 'status' && action.body !== 'error' && action.body !== 'nothing') {
    const { status } = action;
    if (withoutBody.has(status))
      yield [['do', 'body'], `can never be sent: a response with status ${status} has no body`];
  }
}

function takesAll({ match: earlier }: Rule, later: Rule['match']): boolean {
  const fields = ['method', 'route', 'externalOrderId', 'customerPhone'] as const;
  return (
    earlier.probability === 1 &&
    earlier.attempt === undefined &&
    fields.every((field) => earlier[field] === undefined || earlier[field] === later[field])
  );
}

const connections = z
  .strictObject({
    idleMs: z.int().min(1).default(5000).describe('How long an idle connection stays open'),
    idleTold: z.boolean().default(true).describe('Whether the Keep-Alive header announces that time'),
    requests: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe('Requests on one connection; null for no limit'),
  })
  .prefault({});

const allowance = {
  requestsPerSecond: z
    .number()
    .positive()
    .nullable()
    .default(null)
    .describe('Requests per second; null for no limit'),
  concurrency: z.int().min(1).nullable().default(null).describe('Concurrent requests; null for no limit'),
};

const defaultBurst = 10;
const defaultRejection = { status: 429, retryAfter: 'seconds' } as const;

export const limits = z
  .strictObject({
    ...allowance,
    burst: z.int().min(1).default(defaultBurst).describe('Requests that are allowed at once after a pause'),
    status: z
      .literal([429, 503])
      .default(defaultRejection.status)
      .describe('The status of a request that exceeds a limit'),
    retryAfter: z
      .enum(retryAfterForms)
      .nullable()
      .default(defaultRejection.retryAfter)
      .describe('How the response states the wait; null for not at all'),
    changes: z
      .array(z.strictObject({ afterSeconds: z.number().min(0), ...allowance }))
      .meta({ title: 'a list of {"afterSeconds", "requestsPerSecond", "concurrency"}' })
      .default([])
      .describe('Later limits, from a time after the start or after these faults were set'),
  })
  .superRefine((given, context) => {
    const allowances = [given, ...given.changes];
    const limitsRate = allowances.some(({ requestsPerSecond }) => requestsPerSecond !== null);
    const limitsAny = limitsRate || allowances.some(({ concurrency }) => concurrency !== null);
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (given.burst !== defaultBurst && !limitsRate)
      refuse('burst', 'has no effect without requestsPerSecond');
    for (const field of ['status', 'retryAfter'] as const) {
      if (given[field] !== defaultRejection[field] && !limitsAny)
        refuse(field, 'has no effect without requestsPerSecond or concurrency');
    }
  })
  .prefault({});

export type Limits = z.output<typeof limits>;
const distributions = ['none', 'fixed', 'uniform', 'lognormal', 'queue'] as const;

const defaultLatencyMs = 100;

const latency = z
  .strictObject({
    distribution: z
      .enum(distributions)
      .default('none')
      .describe(
        'The delay of each response: none; always ms; evenly distributed up to ms; around ms with a long tail; ms for each request under way',
      ),
    ms: z.int().min(0).default(defaultLatencyMs).describe('Milliseconds'),
  })
  .refine(({ distribution, ms }) => distribution !== 'none' || ms === defaultLatencyMs, {
    path: ['ms'],
    error: 'has no effect while distribution is none',
  })
  .prefault({});

export type Latency = z.output<typeof latency>;

export const faults = z
  .strictObject({
    seed: z.string().default('1').describe('The same seed gives the same faults to the same attempts'),
    rules: rules
      .meta({ title: 'a list, see below' })
      .default([])
      .describe('Which requests get which faults; the first matching rule applies'),
    demoPhones: z.boolean().default(true).describe('Whether the demonstration phones have their faults'),
    limits,
    latency,
    connections,
  })
  .prefault({});

export type Faults = z.output<typeof faults>;
export type FaultSettings = z.input<typeof faults>;
export type Rule = z.output<typeof rule>;
