import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher } from 'undici';
import { command, t } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { isLoopback } from './http/address.ts';
import { createConnector } from './http/connect.ts';
import type { TimeLeft } from './pacing/attempts.ts';

const maxProbeMilliseconds = 10_000;

/** Error: `usage` if a live key would be sent to a sandbox. Sends no key itself; its duration is taken from `time`. */
export async function ensureNotSandbox(baseUrl: URL, time: TimeLeft): Promise<void> {
  // Sandboxes are served on loopback addresses only, over plain HTTP.
  const mayBeSandbox = baseUrl.protocol === 'http:' && isLoopback(baseUrl.hostname);
  if (!mayBeSandbox || (await readIdentity(baseUrl, time)) === undefined) return;
  throw new CliError('usage', t`A key of the live service is not sent to the sandbox at ${baseUrl.host}.`, {
    hint: t`Use the sandbox key shown by: ${command('sandbox', 'info')}`,
  });
}

/** The name of a service in the ledger: its origin, or the identity of a sandbox's data, on any port. */
export async function nameSandbox(baseUrl: URL, time: TimeLeft): Promise<string> {
  const identity = await readIdentity(baseUrl, time);
  return identity === undefined ? baseUrl.origin : `sandbox ${identity}`;
}

async function readIdentity(baseUrl: URL, time: TimeLeft): Promise<string | undefined> {
  const started = performance.now();
  const connector = createConnector(undefined);
  const client = new Client(baseUrl.origin, { connect: connector.connect });
  const milliseconds = Math.ceil(Math.max(0, Math.min(maxProbeMilliseconds, time.milliseconds)));
  const timer = setTimeout(() => client.destroy(new Error('no response in time')), milliseconds);
  try {
    const identity = (await readHeaders(client))['x-merchant-orders-sandbox'];
    return typeof identity === 'string' ? identity : undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    connector.close();
    await client.destroy();
    time.milliseconds -= performance.now() - started;
  }
}

function readHeaders(client: Client): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, headers) => {
        if (status >= 200) resolve(headers);
      },
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      onResponseError: (_controller, error) => reject(error),
    };
    client.dispatch({ method: 'GET', path: '/' }, handler);
  });
}
