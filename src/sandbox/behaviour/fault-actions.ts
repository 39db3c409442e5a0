import * as z from 'zod';

/** Statuses with which HTTP allows no body. */
export const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

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

const end = z
  .enum(['close', 'reset', 'stall'])
  .default('close')
  .describe('What the connection does then: closes, is reset, or stays open');

export const encodings = ['gzip', 'deflate', 'br'] as const;
export const hostileTexts = ['escape', 'bidi', 'formula', 'proto'] as const;

const retryAfter = z
  .strictObject({
    form: z.enum(retryAfterForms).default('seconds').describe('The form of the wait'),
    seconds: seconds.default(1).describe('How long to wait'),
  })
  .optional()
  .describe('Asks the client to wait');

/** These replace the response; those of the second list change it. */
const withoutResponse = [
  z.strictObject({ kind: z.literal('reset') }).describe('The connection is reset'),
  z.strictObject({ kind: z.literal('close') }).describe('The connection is closed without a response'),
  z
    .strictObject({
      kind: z.literal('stall'),
      seconds: seconds.optional().describe('After how long the connection is closed; never by default'),
    })
    .describe('There is no response'),
  z
    .strictObject({
      kind: z.literal('cut_body'),
      afterBytes: z.int().min(0).default(20).describe('Bytes of the body that are sent'),
      framing: z
        .enum(['length', 'chunked', 'until_close'])
        .default('length')
        .describe('How the end of the body is marked; with until_close a cut body looks complete'),
      end,
    })
    .describe('The body of the response is cut off'),
  z
    .strictObject({ kind: z.literal('half_headers'), end })
    .describe('The headers of the response are cut off'),
  z.strictObject({ kind: z.literal('garbage') }).describe('The response is not HTTP'),
  z.strictObject({ kind: z.literal('empty_body') }).describe('The response has its status but no body'),
  z
    .strictObject({
      kind: z.literal('status'),
      status: anyStatus.describe('The status of the response; after a success the order may still not exist'),
      body: z
        .enum(['error', 'text', 'html', 'nothing'])
        .default('error')
        .describe('Its body; an error has the form of the behaviour'),
      code: z.string().min(1).default('FAULT').describe('The code in that error'),
      headers: z
        .record(z.string().regex(/^[\w-]+$/), z.string())
        .default({})
        .describe('Additional headers'),
      retryAfter,
    })
    .describe('Any status, with or without a body'),
  z.strictObject({ kind: z.literal('other_order') }).describe('The response contains another order'),
  z
    .strictObject({
      kind: z.literal('redirect'),
      status: z.literal([301, 302, 303, 307, 308]).default(307),
      to: z.url().optional().describe('The target; by default a second origin that logs its requests'),
    })
    .describe('A redirect'),
] as const;

const onResponse = [
  z
    .strictObject({
      kind: z.literal('slow_drip'),
      bytes: z.int().min(1).default(1).describe('Bytes at a time'),
      everyMs: z.int().min(1).default(100).describe('Time between them'),
    })
    .describe('The response is sent in small pieces'),
  z
    .strictObject({
      kind: z.literal('hostile_text'),
      text: z
        .enum(hostileTexts)
        .default('escape')
        .describe('What is added to every string except the stated fields'),
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
    .describe('The response is padded with spaces'),
  z
    .strictObject({
      kind: z.literal('compressed'),
      encoding: z.enum(encodings).default('gzip'),
      padding: z.int().min(0).default(0).describe('Bytes of spaces to compress with it'),
    })
    .describe('The response is compressed, even if the client does not accept it'),
] as const;

const wait = z
  .strictObject({ kind: z.literal('wait'), seconds: seconds.describe('How long') })
  .describe('The request or its response is delayed');

const lateCommit = z
  .strictObject({
    kind: z.literal('late_commit'),
    seconds: seconds.default(1).describe('How long after the response the request is processed'),
    status: anyStatus.default(504).describe('The status of the response'),
  })
  .describe('The response is an error, and the request is processed later');

export const beforeCommit = [...withoutResponse, wait, lateCommit] as const;
export const afterCommit = [...withoutResponse, ...onResponse, wait] as const;
export type Action = z.output<(typeof beforeCommit)[number]> | z.output<(typeof afterCommit)[number]>;
