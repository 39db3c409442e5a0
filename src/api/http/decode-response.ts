import type { IncomingHttpHeaders } from 'node:http';
import { addAbortSignal, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { t } from '../../advice/advice.ts';
import { isJsonObject, type Json, JsonTooLarge } from '../../orders/json.ts';
import { type Redaction, redactJson } from '../../redact.ts';
import type { ServiceResponse } from './attempt-result.ts';
import { decodeText, readBody } from './body.ts';
import {
  gatherBytes,
  type MemoryShare,
  mayBeCut,
  type RawResponse,
  RequestError,
  ResponseTooLarge,
} from './response-reader.ts';

interface DecodeBounds {
  maxBytes: number;
  share: MemoryShare;
  /** Ends the decoding; created only when needed. */
  signal(): AbortSignal;
}

/** Redacts the API key, which the service may repeat. Errors: `ResponseTooLarge`, those of `decodeBody`. */
export async function decodeResponse(
  { status, headers, bytes }: RawResponse,
  requestBody: string | undefined,
  bounds: DecodeBounds,
  redaction: Pick<Redaction, 'redact' | 'mayChange'>,
): Promise<ServiceResponse> {
  const flat = flatHeaders(headers, redaction.redact);
  const cuts = mayBeCut(status);
  const coding = flat['content-encoding'];
  const decoded = coding === undefined ? bytes : await decodeBody(bytes, coding, bounds, cuts);
  const text = decodeText(decoded, flat['content-type']);
  const redact = redaction.mayChange(text) ? redaction.redact : undefined;
  const body = new Body(() => parseBody(text, redact, cuts));
  const kind = 'response' as const;
  const shown = body.body === undefined ? redaction.redact(text) : text;
  return Object.assign(body, { kind, status, headers: flat, text: shown, requestBody });
}

function flatHeaders(headers: IncomingHttpHeaders, redact: Redaction['redact']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    flat[name.toLowerCase()] = redact(Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}

/**
 * The text parsed as JSON, on demand: objects take many times the memory of their text, and a response is kept while
 * its order is looked up. A class, since V8 makes object literals with a getter slow.
 */
class Body {
  readonly #parse: () => Json | undefined;
  #json: ReturnType<typeof heldWeakly>;

  constructor(parse: () => Json | undefined) {
    this.#parse = parse;
    this.#json = heldWeakly(parse());
  }

  get body(): Json | undefined {
    if (!(this.#json instanceof WeakRef)) return this.#json;
    const json = this.#json.deref() ?? this.#parse();
    this.#json = heldWeakly(json);
    return json;
  }
}

function heldWeakly(json: Json | undefined) {
  return isJsonObject(json) || Array.isArray(json) ? new WeakRef(json) : json;
}

/** Error: `ResponseTooLarge`, unless the text may be cut. */
function parseBody(text: string, redact: Redaction['redact'] | undefined, cuts: boolean): Json | undefined {
  try {
    const body = readBody(text);
    return body === undefined || redact === undefined ? body : redactJson(body, redact);
  } catch (error) {
    if (error instanceof JsonTooLarge && !cuts) throw new ResponseTooLarge();
    return undefined;
  }
}

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

const maxCodings = 2;
const pieceBytes = 64 * 1024;

/** With `cuts`, text beyond the limit is dropped. Throws for unknown or too many codings, damaged bytes, too many bytes. */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  bounds: DecodeBounds,
  cuts = false,
): Promise<Uint8Array> {
  const codings = codingsOf(contentEncoding);
  if (codings.length > maxCodings) throw new RequestError(t`the response has too many content codings`);
  let decoded = bytes;
  for (const coding of codings) {
    const createDecoder = decoders[coding];
    if (createDecoder === undefined) {
      throw new RequestError(t`the response has an unknown content coding (${coding})`);
    }
    const signal = bounds.signal();
    const work = decode(decoded, createDecoder(), { ...bounds, signal, cuts });
    decoded = await work.catch((error: unknown) => {
      if (signal.aborted) throw signal.reason;
      throw error instanceof ResponseTooLarge
        ? error
        : new RequestError(t`the response is damaged (${coding})`);
    });
  }
  return decoded;
}

/** In chunks, so that the deadline can interrupt it. */
async function decode(
  bytes: Uint8Array,
  decoder: Transform,
  { maxBytes, share, signal, cuts }: Omit<DecodeBounds, 'signal'> & { signal: AbortSignal; cuts: boolean },
): Promise<Uint8Array> {
  const decoded = gatherBytes();
  const pieces: AsyncIterable<Uint8Array> = Readable.from(piecesOf(bytes)).pipe(
    addAbortSignal(signal, decoder),
  );
  try {
    for await (const piece of pieces) {
      const room = maxBytes - decoded.length();
      if (piece.length > room && !cuts) throw new ResponseTooLarge();
      decoded.add(piece.subarray(0, room));
      if (piece.length > room) break;
      await share.take(piece.length);
    }
  } catch (error) {
    const wasCut = cuts && bytes.length === maxBytes;
    if (signal.aborted || !wasCut) throw error;
  }
  return decoded.all();
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
  }
}

function codingsOf(contentEncoding = ''): string[] {
  const names = contentEncoding.toLowerCase().split(',');
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
    .reverse();
}
