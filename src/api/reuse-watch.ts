import type { buildConnector } from 'undici';

/** Tells whether the connection that an error ended had carried an answer before. */
export interface ReuseWatch {
  connect: buildConnector.connector;
  hadAnswered(error: unknown): boolean;
}

export function createReuseWatch(connect: buildConnector.connector): ReuseWatch {
  const errors = new WeakSet<object>();
  return {
    connect: (target, done) =>
      connect(target, (...result) => {
        const [, socket] = result;
        socket?.on('error', (error) => {
          if (socket.bytesRead > 0) errors.add(error);
        });
        done(...result);
      }),
    hadAnswered: (error) => errors.has(error as object),
  };
}
