import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { isJsonObject, type Json, parseJson, writeJson } from '../../orders/json.ts';
import { statedFields } from '../../orders/order.ts';
import { wait } from '../../system/waits.ts';
import type { encodings, hostileTexts } from '../behaviour/fault-actions.ts';
import type { ActionHandlers, FaultContext } from './fault-context.ts';

const compressors = {
  gzip: createGzip,
  deflate: createDeflate,
  br: createBrotliCompress,
} satisfies Record<(typeof encodings)[number], () => unknown>;

const piece = Buffer.alloc(64 * 1024, ' ');

/** The client receives the whole response, in a difficult form. */
export const alteredResponses: Pick<
  ActionHandlers,
  'slow_drip' | 'hostile_text' | 'huge_body' | 'compressed'
> = {
  slow_drip: async (fault, { bytes, everyMs }) => {
    const { whole, outgoing } = fault;
    await begin(fault, { 'content-length': String(whole.body.length) });
    for (let at = 0; at < whole.body.length && !outgoing.destroyed; at += bytes) {
      outgoing.write(whole.body.subarray(at, at + bytes));
      await wait(everyMs);
    }
    outgoing.end();
    return undefined;
  },
  hostile_text: async ({ whole, log }, { text }) => {
    await log();
    const { 'content-length': _length, ...headers } = whole.headers;
    const body = whole.body.length === 0 ? null : makeTextHostile(whole.body.toString(), text);
    return new Response(body, { status: whole.status, headers });
  },
  huge_body: async (fault, { bytes }) => {
    const { body } = fault.whole;
    await begin(fault, bytes === null ? {} : { 'content-length': String(body.length + bytes) });
    await flow(padded(body, bytes ?? Number.POSITIVE_INFINITY), fault.outgoing);
    return undefined;
  },
  compressed: async (fault, { encoding, padding }) => {
    await begin(fault, { 'content-encoding': encoding });
    await flow(padded(fault.whole.body, padding), compressors[encoding](), fault.outgoing);
    return undefined;
  },
};

async function begin({ whole, outgoing, log }: FaultContext, framing: Record<string, string>): Promise<void> {
  await log();
  const { 'content-length': _length, ...headers } = whole.headers;
  outgoing.writeHead(whole.status, { ...headers, ...framing });
}

/** With white space, which may follow JSON. */
function* padded(body: Buffer, padding: number): Generator<Buffer> {
  yield body;
  for (let left = padding; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

/** Sends no faster than the client reads, and ends when the client disconnects. */
async function flow(pieces: Iterable<Buffer>, ...through: [...Transform[], ServerResponse]): Promise<void> {
  const [outgoing] = through.slice(-1);
  outgoing?.setMaxListeners(outgoing.getMaxListeners() + 10);
  await pipeline([Readable.from(pieces), ...through]).catch(() => undefined);
}

const payloads: Record<(typeof hostileTexts)[number], string> = {
  escape: '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u0000',
  bidi: '\u202egnp.\u2066\u200f',
  formula: '=HYPERLINK("http://127.0.0.1/","x")',
  proto: '__proto__',
};

/** They identify an order or are compared with what was sent. */
const untouched = new Set<string>([...statedFields, 'id', 'orderNumber', 'status']);

function makeTextHostile(text: string, kind: keyof typeof payloads): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const json = readJson(text.slice(mark.length));
  return json === undefined ? text + payloads[kind] : mark + writeJson(makeHostile(json, kind));
}

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Changes every string but those of the stated fields, and adds a member to each object. */
function makeHostile(value: Json, kind: keyof typeof payloads): Json {
  const payload = payloads[kind];
  const change = (inner: Json): Json => {
    if (typeof inner === 'string') return kind === 'formula' ? payload + inner : inner + payload;
    if (Array.isArray(inner)) return inner.map(change);
    if (!isJsonObject(inner)) return inner;
    const members = Object.entries(inner).map(([name, member]): [string, Json] => [
      name,
      untouched.has(name) ? member : change(member),
    ]);
    return Object.fromEntries([...members, [kind === 'proto' ? '__proto__' : `note${payload}`, payload]]);
  };
  return change(value);
}
