import { z } from 'zod';

export const retryAfterForms = [
  'seconds',
  'fraction',
  'http_date',
  'rfc_850_date',
  'asctime_date',
  'iso_date',
  'milliseconds',
  'ratelimit',
  'ratelimit_reset',
  'x_ratelimit_reset',
  'zero',
  'negative',
  'past_date',
  'garbage',
] as const;
export type RetryAfterForm = (typeof retryAfterForms)[number];

const seconds = z.number().min(0);
const anyStatus = z.int().min(200).max(599);

export const end = z
  .enum(['close', 'reset', 'stall'])
  .default('close')
  .describe('How the connection goes on then: closed, reset, silent');

export const encodings = ['gzip', 'deflate', 'br'] as const;
export const hostileTexts = ['escape', 'bidi', 'formula', 'proto'] as const;

const retryAfter = z
  .strictObject({
    form: z.enum(retryAfterForms).default('seconds').describe('How the time is told'),
    seconds: seconds.default(1).describe('How long to wait'),
  })
  .optional()
  .describe('Tells to wait');

/** What can befall a request. Those of the first list need no answer, those of the second work on the answer. */
const insteadOfAnswer = [
  z.strictObject({ kind: z.literal('reset') }).describe('The connection is reset'),
  z.strictObject({ kind: z.literal('close') }).describe('The connection is closed without an answer'),
  z
    .strictObject({
      kind: z.literal('stall'),
      seconds: seconds.optional().describe('Closes then; without it, never'),
    })
    .describe('There is no answer'),
  z
    .strictObject({
      kind: z.literal('cut_body'),
      afterBytes: z.int().min(0).default(20).describe('Bytes of the body that arrive'),
      framing: z
        .enum(['length', 'chunked', 'until_close'])
        .default('length')
        .describe('How the body is delimited; cut off, the last one looks complete'),
      end,
    })
    .describe('The body of the answer breaks off'),
  z.strictObject({ kind: z.literal('half_headers'), end }).describe('The headers of the answer break off'),
  z.strictObject({ kind: z.literal('garbage') }).describe('The answer is no HTTP'),
  z.strictObject({ kind: z.literal('empty_body') }).describe('The answer has its status and no body'),
  z
    .strictObject({
      kind: z.literal('status'),
      status: anyStatus.describe('The status of the answer; one of success is a success that lies'),
      body: z
        .enum(['error', 'text', 'html', 'nothing'])
        .default('error')
        .describe('Its body; an error as the behaviour writes errors'),
      code: z.string().min(1).default('FAULT').describe('The code in that error'),
      headers: z
        .record(z.string().regex(/^[\w-]+$/), z.string())
        .default({})
        .describe('More headers'),
      retryAfter,
    })
    .describe('Any status, with or without a body'),
  z.strictObject({ kind: z.literal('other_order') }).describe('The answer is about another order'),
  z
    .strictObject({
      kind: z.literal('redirect'),
      status: z.literal([301, 302, 303, 307, 308]).default(307),
      to: z.url().optional().describe('Without it, a second origin that records what it is sent'),
    })
    .describe('A redirect'),
] as const;

const toTheAnswer = [
  z
    .strictObject({
      kind: z.literal('slow_drip'),
      bytes: z.int().min(1).default(1).describe('Bytes at a time'),
      everyMs: z.int().min(1).default(100).describe('Time between them'),
    })
    .describe('The answer comes in drops'),
  z
    .strictObject({
      kind: z.literal('hostile_text'),
      text: z.enum(hostileTexts).default('escape').describe('What is added to every text that is not stated'),
    })
    .describe('Hostile text in every string'),
  z
    .strictObject({
      kind: z.literal('huge_body'),
      bytes: z
        .int()
        .min(1)
        .nullable()
        .default(64 * 1024 * 1024)
        .describe('Its size; null for no end'),
    })
    .describe('The answer is padded with spaces'),
  z
    .strictObject({
      kind: z.literal('compressed'),
      encoding: z.enum(encodings).default('gzip'),
      padding: z.int().min(0).default(0).describe('Bytes of spaces that are compressed with it'),
    })
    .describe('The answer is compressed, whether or not the client takes that'),
] as const;

export const wait = z
  .strictObject({ kind: z.literal('wait'), seconds: seconds.describe('How long') })
  .describe('The request, or its answer, is held back');

export const lateCommit = z
  .strictObject({
    kind: z.literal('late_commit'),
    seconds: seconds.default(1).describe('How long after the answer the request is processed'),
    status: anyStatus.default(504).describe('The status of the answer'),
  })
  .describe('The answer is an error, and the request is processed later');

export const beforeCommit = [...insteadOfAnswer, wait, lateCommit] as const;
export const afterCommit = [...insteadOfAnswer, ...toTheAnswer, wait] as const;
export type Action = z.output<(typeof beforeCommit)[number]> | z.output<(typeof afterCommit)[number]>;
