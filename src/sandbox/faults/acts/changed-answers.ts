import type { ServerResponse } from 'node:http';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import type { Acts } from '../act.ts';
import type { encodings } from '../actions.ts';
import type { Scene } from '../scene.ts';
import { makeTextHostile } from './hostile-text.ts';

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
