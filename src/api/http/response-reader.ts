import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Uint8Array;
}

export interface RequestFailure {
  error: unknown;
  /** False only when the request was never handed to a connection. */
  wasSent: boolean;
  hasResponseBegun: boolean;
}

interface ResponseReader {
  handler: Dispatcher.DispatchHandler;
  result: Promise<RawResponse | RequestFailure>;
  /** Ends the request at once; a request that was not yet handed to a connection is never sent. */
  abort(error: Error): void;
}

/** The service sent more than is read; how much that is depends on the request. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';

  constructor() {
    super('the response was too large');
  }
}

/** Whether a response that is too large is cut instead of given up: its status says enough. */
export function mayBeCut(status: number): boolean {
  return status >= 300;
}

/** Reads the response to one request, of at most `maxBytes(status)`, as far as its share of the memory lets it. Calls `onSending` when a connection takes the request. */
export function createResponseReader(
  maxBytes: (status: number) => number,
  share: MemoryShare,
  onSending: () => void,
): ResponseReader {
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
      // Called for informational responses (1xx) too; the final response replaces them.
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

/** What one response takes of the memory for all responses in flight. */
export interface MemoryShare {
  /** Counts bytes that were read. Returns when to read on; undefined for at once. */
  take(bytes: number): Promise<void> | undefined;
  /** The response is done, or given up. */
  release(): void;
}

/**
 * The memory for the bodies of all responses in flight. When it is full, reading waits until a response is done; the
 * response that began first never waits, so one can always be done.
 */
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

/** Collects bytes in one array: a list of many tiny pieces would take far more memory. */
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
