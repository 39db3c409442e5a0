import { request } from 'undici';
import { CliError } from '../errors.ts';
import { isLoopback } from './http/address.ts';

const timeoutMilliseconds = 10_000;

/** Throws `usage` when a key of the live service would be sent to a sandbox. The check itself sends no key. */
export async function ensureNotSandbox(baseUrl: URL): Promise<void> {
  // Sandboxes are served on loopback addresses only, over plain HTTP.
  const mayBeSandbox = baseUrl.protocol === 'http:' && isLoopback(baseUrl.hostname);
  if (!mayBeSandbox || (await readIdentity(baseUrl)) === undefined) return;
  throw new CliError('usage', `A key of the live service is not sent to the sandbox at ${baseUrl.host}.`, {
    hint: 'Use the sandbox key shown by: merchant-orders sandbox info',
  });
}

/** The name of a service in the ledger. That of a sandbox is the identity of its data, whatever its port and process. */
export async function nameSandbox(baseUrl: URL): Promise<string> {
  const identity = await readIdentity(baseUrl);
  return identity === undefined ? baseUrl.origin : `sandbox ${identity}`;
}

async function readIdentity(baseUrl: URL): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const { headers, body } = await request(baseUrl.origin, { signal });
    await body.dump();
    const identity = headers['x-merchant-orders-sandbox'];
    return typeof identity === 'string' ? identity : undefined;
  } catch {
    return undefined;
  }
}
