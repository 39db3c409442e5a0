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

export interface ResponseReader {
  handler: Dispatcher.DispatchHandler;
  result: Promise<RawResponse | RequestFailure>;
  /** Ends the request at once; a request that was not yet handed to a connection is never sent. */
  abort(error: Error): void;
}

/** Reads the response to one request, of at most `maxBytes`. */
export function createResponseReader(maxBytes: number): ResponseReader {
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
    },
    onResponseStarted: () => {
      hasResponseBegun = true;
    },
    onResponseStart: (_controller, statusCode, responseHeaders) => {
      // Called for informational responses (1xx) too; the final response replaces them.
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData: (_controller, chunk) => {
      if (body.length() + chunk.length > maxBytes) abort(new Error('the response was too large'));
      else body.add(chunk);
    },
    onResponseEnd: () => resolve({ status, headers, bytes: body.all() }),
    onResponseError: (_controller, error) => fail(error),
  };
  return { handler, result, abort };
}

/** Collects bytes in one array: a list of many tiny pieces would take far more memory. */
export interface GatheredBytes {
  add(piece: Uint8Array): void;
  length(): number;
  all(): Uint8Array;
}

const initialCapacity = 4096;

export function gatherBytes(): GatheredBytes {
  let buffer = new Uint8Array(0);
  let length = 0;
  return {
    add: (piece) => {
      const needed = length + piece.length;
      if (needed > buffer.length) {
        const larger = new Uint8Array(Math.max(needed, buffer.length * 2, initialCapacity));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(piece, length);
      length = needed;
    },
    length: () => length,
    all: () => buffer.subarray(0, length),
  };
}
