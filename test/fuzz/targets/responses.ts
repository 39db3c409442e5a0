import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import {
  canaryKey,
  type FuzzCase,
  type Operation,
  operations,
  type Reply,
  type Script,
  type Target,
} from '../case.ts';
import { length, longNumber, longText, oddJson, oddObject, oddText, part, seldom } from '../text.ts';
import words from '../words.json' with { type: 'json' };

const id = '11111111-1111-4111-8111-111111111111';
const order = {
  id: `"${id}"`,
  orderNumber: '"ORD-2026-000001"',
  externalOrderId: '"UB-1"',
  customer: '{"phone":"99112233"}',
  items: '[{"sku":"TEA-1"}]',
  collectionMode: '"COLLECT"',
  collectionAmount: '"25000"',
  total: '"25000"',
  requestedDeliveryDate: '"2026-12-01"',
  status: '"CONFIRMED"',
  createdAt: '"2026-11-20T08:00:00Z"',
  delivery: 'null',
};
const error = {
  code: '"MERCHANT_API_INVALID_ORDER"',
  message: '"Invalid order"',
  status: '400',
  requestId: '"r-1"',
  errors: '[{"field":"items[0].sku","message":"unknown"}]',
  detail: '"No"',
  type: '"https://service.example/problem"',
};
const page = { page: '1', pageSize: '50', total: '1', totalPages: '1', nextPage: 'null', next: 'null' };
/** Ways in which a service may repeat the key that it received. */
const keyEchoes = [
  canaryKey,
  `Bearer ${canaryKey}`,
  `token=${encodeURIComponent(canaryKey)}&x=1`,
  `Basic ${Buffer.from(`key:${canaryKey}`).toString('base64')}`,
  Buffer.from(`${canaryKey}:`).toString('base64url'),
  `${canaryKey.slice(0, 9)}\u001b[0m${canaryKey.slice(9)}`,
  `${canaryKey.slice(0, 9)}\u200b${canaryKey.slice(9)}`,
];

const requestHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'];
const command = [
  ...[
    'create',
    '--external-order-id',
    'UB-1',
    '--phone',
    '99112233',
    '--item',
    'TEA-1',
    '--collect',
    '25000',
  ],
  ...['--total', '25000', '--delivery-date', '2026-12-01', '--yes'],
];
const csv = 'externalOrderId,customer.phone,items[].sku,collectionMode,collectionAmount,total\n';
const row = (name: string) => `${name},99112233,TEA-1,COLLECT,25000,25000\n`;

const commands: [string[], Partial<FuzzCase>][] = [
  [command, { created: 'UB-1' }],
  [command, { created: 'UB-1' }],
  [[...command, '--verbose'], { created: 'UB-1' }],
  [['get', 'UB-1'], {}],
  [['get', id], {}],
  [['get', 'ORD-2026-000001'], {}],
  [['list'], {}],
  [['list', '--all'], {}],
  [['list', '--columns', 'all', '--limit', '3'], {}],
  [['list', '--created-from', '7d', '--all'], {}],
  [['cancel', id, '--reason', 'no', '--yes'], {}],
  [['cancel', 'UB-1', 'UB-2', '--reason', 'no', '--yes'], {}],
  [
    ['import', 'orders.csv', '--yes'],
    { files: { 'orders.csv': Buffer.from(csv + row('UB-1')) }, created: 'UB-1' },
  ],
  [
    ['import', 'orders.csv', '--yes'],
    { files: { 'orders.csv': Buffer.from(csv + [1, 2, 3].map((n) => row(`UB-${n}`)).join('')) } },
  ],
];

const statuses = words.statuses;
const moreStatuses = words.moreStatuses;
/** A client cannot conclude from these that nothing was done. */
const mayBeDone = /^(?:[25]\d\d|408|425|000|999|20|2000|OK|10[013])$/;

/** As `oddObject`, also with the key in it. */
function oddMembers(members: Record<string, string>, max: number): Arbitrary<string> {
  const echo = fc.constantFrom(...keyEchoes).map((text) => JSON.stringify(text));
  const value = fc.oneof(
    { weight: 6, arbitrary: oddJson(max) },
    { weight: 2, arbitrary: echo },
    { weight: 2, arbitrary: longNumber(max).map((text) => `"${text}"`) },
  );
  return oddObject(members, max, value);
}

function body(max: number, showsOrder: boolean): Arbitrary<string> {
  const some = showsOrder
    ? oddMembers(order, max)
    : oddMembers({ id: `"${id.replaceAll('1', '2')}"`, total: '"1"' }, max);
  const errors = oddMembers(error, max);
  const echoed = fc
    .tuple(fc.constantFrom(...Object.keys(error)), fc.constantFrom(...keyEchoes))
    .map((pair) => {
      return JSON.stringify({ message: 'The key is not accepted', ...Object.fromEntries([pair]) });
    });
  const name = fc.constantFrom(
    'orders',
    'data',
    'items',
    'result',
    'order',
    'error',
    'errors',
    'payload',
    '_embedded',
    'k',
  );
  const wrapped = fc.tuple(name, some, oddMembers(page, max)).map(([key, one, around]) => {
    return `{"${key}":${['order', 'result'].includes(key) ? one : `[${one}]`}${around === '{}' ? '' : `,${around.slice(1, -1)}`}}`;
  });
  const wide = fc
    .tuple(name, some, fc.constantFrom('{}', '1', '[]', '{"id":"1"}'), length(max))
    .map(([key, one, other, count]) => `{"${key}":[${one}${`,${other}`.repeat(count)}]}`);
  const xml = fc
    .tuple(fc.constantFrom('Error', 'Message', 'Code', 'a', 'fault'), longText(max), length(max / 10))
    .map(
      ([tag, text, levels]) =>
        `<?xml version="1.0"?>${`<${tag}>`.repeat(levels)}${text}${`</${tag}>`.repeat(levels)}`,
    );
  const html = longText(max).map(
    (text) => `<!doctype html><html><title>${text}</title><body>${text}</body></html>`,
  );
  return fc.oneof(
    { weight: 4, arbitrary: some },
    { weight: 4, arbitrary: errors },
    { weight: 3, arbitrary: wrapped },
    { weight: 2, arbitrary: wide },
    { weight: 2, arbitrary: oddJson(max) },
    { weight: 1, arbitrary: xml },
    { weight: 1, arbitrary: html },
    { weight: 1, arbitrary: oddText(max) },
    { weight: 1, arbitrary: fc.constantFrom(...keyEchoes) },
    { weight: 2, arbitrary: echoed },
  );
}

function header(max: number): Arbitrary<string> {
  const flat = (text: string) => text.replace(/[\r\n\0]/g, ' ');
  const short = oddText(Math.min(max, 14_000)).map(flat);
  const line = (name: Arbitrary<string>, value: Arbitrary<string>) =>
    fc.tuple(name, value).map(([left, right]) => `${left}: ${right}\r\n`);
  return fc.oneof(
    line(
      fc.constantFrom('retry-after', 'ratelimit-reset', 'x-ratelimit-reset', 'date', 'keep-alive', 'link'),
      short,
    ),
    line(fc.constantFrom(...requestHeaders, 'server', 'location', 'content-type', 'x-odd'), short),
    line(fc.constantFrom(...requestHeaders, 'location'), fc.constantFrom(...keyEchoes).map(flat)),
    line(
      fc.constant('retry-after'),
      fc.constantFrom('0', '1', '-1', '1e9', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', '0x1'),
    ),
    line(
      fc.constant('content-type'),
      fc.constantFrom('application/json; charset=utf-16', 'text/html', 'application/xml', ''),
    ),
    length(max).map((count) => Array.from({ length: count }, (_, place) => `x-${place}: y\r\n`).join('')),
    length(max).map((bytes) => `x-long: ${'y'.repeat(bytes)}\r\n`),
    fc.constantFrom(
      'no colon\r\n',
      ': empty\r\n',
      ' folded\r\n',
      'a: b\n',
      'transfer-encoding: gzip\r\n',
      'content-length: 5\r\n',
      'content-length: -1\r\n',
      'connection: close\r\n',
      'connection: upgrade\r\nupgrade: x\r\n',
    ),
  );
}

interface Coding {
  name: string;
  encode(bytes: Buffer): Buffer;
}
const codings: Coding[] = [
  { name: 'gzip', encode: (bytes) => gzipSync(bytes) },
  { name: 'deflate', encode: (bytes) => deflateSync(bytes) },
  { name: 'br', encode: (bytes) => brotliCompressSync(bytes, { params: { 1: 2 } }) },
  { name: 'gzip, gzip', encode: (bytes) => gzipSync(gzipSync(bytes)) },
  { name: 'gzip', encode: (bytes) => gzipSync(bytes).subarray(0, -9) },
  { name: 'gzip', encode: (bytes) => bytes },
  { name: 'zstd', encode: (bytes) => bytes },
  { name: Array(500).fill('gzip').join(', '), encode: (bytes) => gzipSync(bytes) },
];
/** A body of zeros or spaces that is far smaller on the wire. */
const bombs = new Map<number, Buffer>();

function bomb(megabytes: number): Buffer {
  const made = bombs.get(megabytes) ?? gzipSync(Buffer.alloc(megabytes * 1024 * 1024, ' '));
  bombs.set(megabytes, made);
  return made;
}

type Framing = (bytes: Buffer) => { headers: string; bytes: Buffer };
const chunked = (bytes: Buffer, size: number, extension: string) => {
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size) {
    const part = bytes.subarray(from, from + size);
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
};
/** The first ones are what clients see every day. */
const framings: [weight: number, framing: Framing][] = [
  [16, (bytes) => ({ headers: `content-length: ${bytes.length}\r\n`, bytes })],
  [4, (bytes) => ({ headers: 'transfer-encoding: chunked\r\n', bytes: chunked(bytes, 4096, '') })],
  [1, (bytes) => ({ headers: `content-length: ${bytes.length + 7}\r\n`, bytes })],
  [1, (bytes) => ({ headers: `content-length: ${Math.floor(bytes.length / 2)}\r\n`, bytes })],
  [1, (bytes) => ({ headers: 'content-length: 99999999999999\r\n', bytes })],
  [1, (bytes) => ({ headers: 'connection: close\r\n', bytes })],
  [
    1,
    (bytes) => ({
      headers: 'transfer-encoding: chunked\r\n',
      bytes: chunked(bytes.subarray(0, 20_000), 1, `;${'x'.repeat(60)}`),
    }),
  ],
  [
    1,
    (bytes) => ({
      headers: 'transfer-encoding: chunked\r\n',
      bytes: Buffer.concat([Buffer.from('fffffffffffff\r\n'), bytes]),
    }),
  ],
  [
    1,
    (bytes) => ({
      headers: 'transfer-encoding: chunked\r\n',
      bytes: Buffer.concat([Buffer.from('zz\r\n'), bytes]),
    }),
  ],
];

const status = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...statuses) },
  { weight: 1, arbitrary: fc.constantFrom(...moreStatuses) },
);

/** Most responses end: one that does not takes the whole time limit. */
const end = fc.oneof(
  { weight: 30, arbitrary: fc.constant('keep' as const) },
  { weight: 6, arbitrary: fc.constantFrom('close', 'reset') },
  { weight: 1, arbitrary: fc.constantFrom('stall', 'repeat') },
);

/** One response in the terms of HTTP, odd in some of them. */
function reply(max: number): Arbitrary<Reply & { isSuccess: boolean }> {
  return fc
    .tuple(status, fc.boolean())
    .chain(([code, commits]) =>
      fc.record({
        status: fc.constant(code),
        commits: fc.constant(commits),
        content: body(max, commits),
        bomb: fc.oneof(
          { weight: 30, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.constantFrom(9, 40, 200) },
        ),
        coding: seldom(fc.constantFrom(...codings), 8),
        headers: fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(header(max), { maxLength: 3 }) },
        ),
        framing: fc.oneof(
          ...framings.map(([weight, framing]) => ({ weight, arbitrary: fc.constant(framing) })),
        ),
        interim: fc.oneof(
          { weight: 30, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: length(max / 10) },
        ),
        line: fc.oneof(
          { weight: 20, arbitrary: fc.constant(`HTTP/1.1 ${code} x\r\n`) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              `HTTP/1.0 ${code} x\r\n`,
              `HTTP/2 ${code}\r\n`,
              `HTTP/1.1 ${code}\n`,
              'ICY 200 OK\r\n',
              '\r\n',
            ),
          },
          {
            weight: 1,
            arbitrary: longText(max).map((text) => `HTTP/1.1 ${code} ${text.replace(/[\r\n]/g, '')}\r\n`),
          },
        ),
        cut: seldom(part(), 12),
        drip: seldom(
          fc.record({ bytes: fc.constantFrom(1, 7, 100), milliseconds: fc.constantFrom(1, 50) }),
          60,
        ),
        end,
      }),
    )
    .map((parts) => {
      const plain = Buffer.from(parts.content);
      const coded = parts.bomb > 0 ? bomb(parts.bomb) : (parts.coding?.encode(plain) ?? plain);
      const name = parts.bomb > 0 ? 'gzip' : parts.coding?.name;
      const framed = parts.framing(coded);
      const head = `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(parts.interim)}${parts.line}${framed.headers}${name === undefined ? '' : `content-encoding: ${name}\r\n`}${parts.headers.join('')}\r\n`;
      const whole = Buffer.concat([Buffer.from(head), framed.bytes]);
      const bytes = parts.cut === undefined ? whole : whole.subarray(0, Math.floor(whole.length * parts.cut));
      // A client waits for more where the length is wrong and after an interim status.
      const isWhole =
        framings.slice(0, 2).some(([, framing]) => framing === parts.framing) &&
        parts.cut === undefined &&
        parts.headers.length === 0 &&
        parts.line.startsWith('HTTP/1.1 ') &&
        /^[2-5]\d\d$/.test(parts.status);
      const isSuccess = /^2\d\d$/.test(parts.status);
      return {
        commits: parts.commits,
        // A success for what was not done, or a rejection of what was done.
        isLie: parts.commits ? !mayBeDone.test(parts.status) : isSuccess,
        isSuccess,
        bytes,
        ...(parts.drip === undefined ? {} : { drip: parts.drip }),
        end: parts.end === 'keep' && !isWhole ? 'close' : parts.end,
      };
    });
}

function script(max: number): Arbitrary<Script> {
  const replies = (operation: Operation) => {
    // What a scripted list shows was not done, and what was done is not in it.
    const shows = operation === 'list' || operation === 'get';
    const one = fc.oneof({ weight: 5, arbitrary: reply(max / 200) }, { weight: 1, arbitrary: reply(max) });
    const some = fc.array(one, { minLength: 1, maxLength: 3 });
    return some.map((all) => all.map((one) => (shows ? { ...one, isLie: one.isSuccess } : one)));
  };
  const one = fc
    .constantFrom(...operations)
    .chain((name) => replies(name).map((found) => ({ [name]: found })));
  const all = fc.record(Object.fromEntries(operations.slice(1).map((name) => [name, replies(name)])), {
    requiredKeys: [],
  });
  return fc.oneof({ weight: 3, arbitrary: all }, { weight: 2, arbitrary: one });
}

const formats = fc.constantFrom(
  [],
  [],
  ['--json'],
  ['--format', 'ndjson'],
  ['--format', 'csv'],
  ['--format', 'tsv'],
);

export const responses: Target = {
  name: 'responses',
  cases: (max) =>
    fc
      .record({
        command: fc.constantFrom(...commands),
        script: script(max),
        format: formats,
        isSpawned: fc.integer({ min: 0, max: 11 }).map((draw) => draw === 0),
      })
      .map(({ command: [args, more], format, ...rest }) => ({
        ...rest,
        ...more,
        // A table of columns is not for JSON.
        args: [...args, ...(args.includes('--columns') ? [] : format)],
      })),
};
