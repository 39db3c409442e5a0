import * as z from 'zod';
import { type Operation, operationNames } from './operations.ts';
import { choice, group, orNull } from './setting.ts';

/** Statuses with which HTTP allows no body. */
export const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

const text = z.string().min(1);
const seconds = z.number().min(0);
const anyStatus = z.int().min(200).max(599);

const match = group({
  route: z.enum(operationNames).optional().describe('The operation'),
  externalOrderId: text
    .optional()
    .describe('The externalOrderId of the order, except of a list; * stands for any text'),
  customerPhone: z
    .string()
    .regex(/[\d*]/)
    .optional()
    .describe('The customer.phone of a create; * stands for any text'),
  attempt: z.int().min(1).optional().describe('The number of the attempt at the same order or list, from 1'),
  probability: z.number().gt(0).max(1).default(1).describe('The share of the matching requests'),
});

const actions = [
  z.strictObject({ kind: z.literal('reset') }).describe('The connection is reset'),
  z.strictObject({ kind: z.literal('close') }).describe('The connection is closed without a response'),
  z.strictObject({ kind: z.literal('stall') }).describe('There is no response'),
  z
    .strictObject({
      kind: z.literal('cut_body'),
      afterBytes: z.int().min(0).default(20).describe('Bytes of the body that are sent'),
    })
    .describe('The body of the response is cut off'),
  z
    .strictObject({
      kind: z.literal('status'),
      status: anyStatus.describe('The status of the response; after a success the order may still not exist'),
      body: choice(['error', 'html', 'nothing'], 'Its body; an error has the form of the behaviour'),
      code: text.default('FAULT').describe('The code in that error'),
      retryAfter: seconds.optional().describe('Seconds that the header Retry-After asks the client to wait'),
    })
    .describe('Any status, with or without a body'),
  z
    .strictObject({ kind: z.literal('wait'), seconds: seconds.describe('How long') })
    .describe('The request or its response is delayed'),
  z
    .strictObject({
      kind: z.literal('late_commit'),
      seconds: seconds.default(1).describe('How long after the response the request is processed'),
      status: anyStatus.default(504).describe('The status of the response'),
    })
    .describe('The response is an error, and the request is processed later (only before_commit)'),
] as const;

const rule = z.strictObject({
  match,
  when: z.enum(['before_commit', 'after_commit']),
  do: z.discriminatedUnion('kind', actions),
});

/** Each rule can apply as it is written. */
const rules = z.array(rule).superRefine((given, context) => {
  for (const [place, { match, when, do: action }] of given.entries()) {
    const refuse = (field: readonly string[], message: string) =>
      context.addIssue({ code: 'custom', path: [place, ...field], message });
    const first = given.slice(0, place).findIndex((earlier) => takesAll(earlier, match));
    if (first >= 0) refuse(['match'], `can never match: rules[${first}] applies to all these requests`);
    if (!operationNames.some((operation) => canMatch(match, operation))) {
      refuse(
        ['match'],
        'can never match: only a create has a customer.phone, and a list is not of one order',
      );
    }
    if (action.kind === 'late_commit' && when === 'after_commit') {
      refuse(['do', 'kind'], 'late_commit needs "when": "before_commit"');
    }
    if (action.kind === 'status' && action.body === 'html' && withoutBody.has(action.status)) {
      refuse(['do', 'body'], `can never be sent: a response with status ${action.status} has no body`);
    }
  }
});

function canMatch(match: Rule['match'], operation: Operation): boolean {
  return (
    (match.route ?? operation) === operation &&
    (match.externalOrderId === undefined || operation !== 'list') &&
    (match.customerPhone === undefined || operation === 'create')
  );
}

function takesAll({ match: earlier }: Rule, later: Rule['match']): boolean {
  const fields = ['route', 'externalOrderId', 'customerPhone'] as const;
  return (
    earlier.probability === 1 &&
    earlier.attempt === undefined &&
    fields.every((field) => earlier[field] === undefined || earlier[field] === later[field])
  );
}

const defaultBurst = 10;

const limits = z
  .strictObject({
    requestsPerSecond: orNull(
      z.number().positive(),
      'Requests per second; null for no limit. Others get 429 with Retry-After',
    ),
    concurrency: orNull(
      z.int().min(1),
      'Concurrent requests; null for no limit. Others get 429 with Retry-After',
    ),
    burst: z.int().min(1).default(defaultBurst).describe('Requests that are allowed at once after a pause'),
  })
  .refine(({ burst, requestsPerSecond }) => burst === defaultBurst || requestsPerSecond !== null, {
    path: ['burst'],
    error: 'has no effect without requestsPerSecond',
  })
  .prefault({});

export const faults = group({
  seed: z.string().default('1').describe('The same seed gives the same faults to the same attempts'),
  rules: rules.default([]).describe('Which requests get which faults; the first matching rule applies'),
  demoPhones: z.boolean().default(true).describe('Whether the demonstration phones have their faults'),
  limits,
  latencyMs: z.int().min(0).default(0).describe('Milliseconds by which each response is delayed'),
  idleMs: z.int().min(1).default(5000).describe('Milliseconds that an idle connection stays open'),
});

export type Faults = z.output<typeof faults>;
export type FaultSettings = z.input<typeof faults>;
export type Rule = z.output<typeof rule>;
