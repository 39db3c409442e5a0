import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** A complete answer, as its bytes came. */
export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Uint8Array;
}

/** An exchange that brought no complete answer. */
export interface Broken {
  error: unknown;
  /** False only when the request was never handed to a connection. */
  wasSent: boolean;
  /** A byte of the answer had come. */
  wasAnswered: boolean;
}

export interface Exchange {
  /** What undici tells of it. */
  handler: Dispatcher.DispatchHandler;
  ended: Promise<RawAnswer | Broken>;
  /** Ends it at once; what has not left by now never will. */
  giveUp(error: Error): void;
}

/** One request and its answer of at most `longest` bytes. */
export function createExchange(longest: number): Exchange {
  let resolve: (ended: RawAnswer | Broken) => void = () => undefined;
  const ended = new Promise<RawAnswer | Broken>((settle) => {
    resolve = settle;
  });
  const body = gatherBytes();
  let controller: Dispatcher.DispatchController | undefined;
  let givenUp: Error | undefined;
  let [status, wasAnswered] = [0, false];
  let headers: IncomingHttpHeaders = {};
  const breakOff = (error: unknown) => resolve({ error, wasSent: controller !== undefined, wasAnswered });
  const giveUp = (error: Error) => {
    givenUp = error;
    breakOff(error);
    controller?.abort(error);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      if (givenUp !== undefined) return started.abort(givenUp);
      controller = started;
    },
    onResponseStarted: () => {
      wasAnswered = true;
    },
    onResponseStart: (_controller, statusCode, responseHeaders) => {
      // Of a hint (1xx) nothing is kept: what counts is told after it.
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData: (_controller, chunk) => {
      if (body.length() + chunk.length > longest) giveUp(new Error('the answer was too large'));
      else body.add(chunk);
    },
    onResponseEnd: () => resolve({ status, headers, bytes: body.all() }),
    onResponseError: (_controller, error) => breakOff(error),
  };
  return { handler, ended, giveUp };
}

/** Bytes that come in pieces, kept as one piece: many small ones must not cost more than they hold. */
export interface GatheredBytes {
  add(piece: Uint8Array): void;
  /** How many there are. */
  length(): number;
  all(): Uint8Array;
}

const firstRoom = 4096;

export function gatherBytes(): GatheredBytes {
  let room = new Uint8Array(0);
  let length = 0;
  return {
    add: (piece) => {
      const needed = length + piece.length;
      if (needed > room.length) {
        const larger = new Uint8Array(Math.max(needed, room.length * 2, firstRoom));
        larger.set(room.subarray(0, length));
        room = larger;
      }
      room.set(piece, length);
      length = needed;
    },
    length: () => length,
    all: () => room.subarray(0, length),
  };
}
