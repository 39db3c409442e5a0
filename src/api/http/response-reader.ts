import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { type Text, t } from '../../advice/advice.ts';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Uint8Array;
}

export interface RequestFailure {
  error: unknown;
  wasSent: boolean;
  hasResponseBegun: boolean;
}

/** Why a request failed, for a person too; `message` is English. */
export class RequestError extends Error {
  readonly sentence: Text;

  constructor(sentence: Text) {
    super(String(sentence));
    this.sentence = sentence;
  }
}

/** More bytes than we read for such a request. */
export class ResponseTooLarge extends RequestError {
  override readonly name = 'ResponseTooLarge';

  constructor() {
    super(t`the response was too large`);
  }
}

/** The status of an error says enough, so its body may be cut. */
export function mayBeCut(status: number): boolean {
  return status >= 300;
}

/** Reads at most `maxBytes(status)` bytes. Calls `onSending` when a connection takes the request. */
export function createResponseReader(
  maxBytes: (status: number) => number,
  share: MemoryShare,
  onSending: () => void,
) {
  let resolve: (result: RawResponse | RequestFailure) => void = () => undefined;
  const result = new Promise<RawResponse | RequestFailure>((settle) => {
    resolve = settle;
  });
  const body = gatherBytes();
  let controller: Dispatcher.DispatchController | undefined;
  let abortError: Error | undefined;
  let hasResponseBegun = false;
  let status = 0;
  let headers: IncomingHttpHeaders = {};
  const fail = (error: unknown) => resolve({ error, wasSent: controller !== undefined, hasResponseBegun });
  /** A request that no connection has taken yet is never sent. */
  const abort = (error: Error) => {
    abortError = error;
    fail(error);
    controller?.abort(error);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      if (abortError !== undefined) return started.abort(abortError);
      controller = started;
      onSending();
    },
    onResponseStarted: () => {
      hasResponseBegun = true;
    },
    onResponseStart: (_controller, statusCode, responseHeaders) => {
      // Also called for informational responses (1xx), before the final one.
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData: (reading, chunk) => {
      const room = maxBytes(status) - body.length();
      if (chunk.length > room) {
        if (mayBeCut(status)) {
          body.add(chunk.subarray(0, room));
          resolve({ status, headers, bytes: body.all() });
        }
        return abort(new ResponseTooLarge());
      }
      body.add(chunk);
      const turn = share.take(chunk.length);
      if (turn === undefined) return;
      reading.pause();
      void turn.then(() => reading.resume());
    },
    onResponseEnd: () => resolve({ status, headers, bytes: body.all() }),
    onResponseError: (_controller, error) => fail(error),
  };
  return { handler, result, abort };
}

export interface MemoryShare {
  /** Counts bytes. Returns when to read on; undefined for at once. */
  take(bytes: number): Promise<void> | undefined;
  release(): void;
}

/** Shared by all responses. When it is full, all but the oldest response pause, so that one can always finish. */
export function createResponseMemory(maxBytes: number): { open(): MemoryShare } {
  interface Holder {
    bytes: number;
    goOn: (() => void) | undefined;
  }
  const holders = new Set<Holder>();
  let used = 0;
  const mayReadOn = (holder: Holder) => used < maxBytes || holders.values().next().value === holder;
  const wake = () => {
    for (const holder of holders) if (mayReadOn(holder)) holder.goOn?.();
  };
  return {
    open: () => {
      const holder: Holder = { bytes: 0, goOn: undefined };
      let isReleased = false;
      return {
        take: (bytes) => {
          if (isReleased) return undefined;
          holders.add(holder);
          holder.bytes += bytes;
          used += bytes;
          if (mayReadOn(holder)) return undefined;
          return new Promise((resolve) => {
            holder.goOn = resolve;
          });
        },
        release: () => {
          if (isReleased) return;
          isReleased = true;
          holders.delete(holder);
          used -= holder.bytes;
          holder.goOn?.();
          wake();
        },
      };
    },
  };
}

/** One growing array: a list of many tiny chunks would take far more memory. */
export function gatherBytes() {
  let buffer: Uint8Array = new Uint8Array(0);
  let length = 0;
  return {
    add: (piece: Uint8Array) => {
      const needed = length + piece.length;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(piece, length);
      length = needed;
    },
    length: () => length,
    all: (): Uint8Array => buffer.subarray(0, length),
  };
}
