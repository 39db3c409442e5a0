import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { isJsonObject, type Json, parseJson, writeJson } from '../../../orders/json.ts';
import { statedFields } from '../../../orders/order.ts';
import type { encodings, hostileTexts } from '../actions.ts';
import type { Acts } from '../misbehave.ts';
import type { Scene } from '../scene.ts';

const compressors = {
  gzip: createGzip,
  deflate: createDeflate,
  br: createBrotliCompress,
} satisfies Record<(typeof encodings)[number], () => unknown>;

const piece = Buffer.alloc(64 * 1024, ' ');

/** The answer arrives whole, and not as a client may wish. */
export const changedAnswers: Pick<Acts, 'slow_drip' | 'hostile_text' | 'huge_body' | 'compressed'> = {
  slow_drip: async (scene, { bytes, everyMs }) => {
    const { whole, outgoing } = scene;
    await begin(scene, { 'content-length': String(whole.body.length) });
    for (let at = 0; at < whole.body.length && !outgoing.destroyed; at += bytes) {
      outgoing.write(whole.body.subarray(at, at + bytes));
      await delay(everyMs);
    }
    outgoing.end();
    return undefined;
  },
  hostile_text: async ({ whole, recorded }, { text }) => {
    await recorded();
    const { 'content-length': _length, ...headers } = whole.headers;
    const body = whole.body.length === 0 ? null : makeTextHostile(whole.body.toString(), text);
    return new Response(body, { status: whole.status, headers });
  },
  huge_body: async (scene, { bytes }) => {
    const { body } = scene.whole;
    await begin(scene, bytes === null ? {} : { 'content-length': String(body.length + bytes) });
    await flow(padded(body, bytes ?? Number.POSITIVE_INFINITY), scene.outgoing);
    return undefined;
  },
  compressed: async (scene, { encoding, padding }) => {
    await begin(scene, { 'content-encoding': encoding });
    await flow(padded(scene.whole.body, padding), compressors[encoding](), scene.outgoing);
    return undefined;
  },
};

async function begin({ whole, outgoing, recorded }: Scene, framing: Record<string, string>): Promise<void> {
  await recorded();
  const { 'content-length': _length, ...headers } = whole.headers;
  outgoing.writeHead(whole.status, { ...headers, ...framing });
}

/** A body and white space, which JSON may end with. */
function* padded(body: Buffer, padding: number): Generator<Buffer> {
  yield body;
  for (let left = padding; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

/** No faster than it is taken, and no longer than somebody takes it. */
async function flow(pieces: Iterable<Buffer>, ...through: [...Transform[], ServerResponse]): Promise<void> {
  const [outgoing] = through.slice(-1);
  // A pipeline listens to its end many times.
  outgoing?.setMaxListeners(outgoing.getMaxListeners() + 10);
  await pipeline([Readable.from(pieces), ...through]).catch(() => undefined);
}

const payloads: Record<(typeof hostileTexts)[number], string> = {
  escape: '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u0000',
  bidi: '\u202egnp.\u2066\u200f',
  formula: '=HYPERLINK("http://127.0.0.1/","x")',
  proto: '__proto__',
};

/** What names an order, or is compared with what was sent: changed, it would be another order. */
const untouched = new Set<string>([...statedFields, 'id', 'orderNumber', 'status']);

/** The body of an answer: JSON stays JSON, other text gets hostile text after it. */
export function makeTextHostile(text: string, kind: keyof typeof payloads): string {
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

/** Every text that an answer holds beyond what names and states an order, and a member more in each object. */
export function makeHostile(value: Json, kind: keyof typeof payloads): Json {
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
