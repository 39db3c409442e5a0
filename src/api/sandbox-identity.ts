import { request } from 'undici';
import { CliError } from '../errors.ts';
import { isLoopback } from './http/address.ts';

const patienceMilliseconds = 10_000;

/**
 * Before a key of the live service goes to this machine: is it a sandbox that would get it? Error: `usage`.
 * Nothing is sent there but the question.
 */
export async function refuseSandbox(baseUrl: URL): Promise<void> {
  // A sandbox is served to this machine, in plain HTTP.
  const maybe = baseUrl.protocol === 'http:' && isLoopback(baseUrl.hostname);
  if (!maybe || (await readIdentity(baseUrl)) === undefined) return;
  throw new CliError('usage', `A key of the live service is not sent to the sandbox at ${baseUrl.host}.`, {
    hint: 'Use the key that merchant-orders sandbox info tells.',
  });
}

/** What the ledger knows a sandbox by: its data, whose identity stays when the port and the process change. */
export async function nameSandbox(baseUrl: URL): Promise<string> {
  const identity = await readIdentity(baseUrl);
  return identity === undefined ? baseUrl.origin : `sandbox ${identity}`;
}

/** From a header of every answer of a sandbox; undefined at an address of anything else. */
async function readIdentity(baseUrl: URL): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(patienceMilliseconds);
    const { headers, body } = await request(baseUrl.origin, { signal });
    await body.dump();
    const identity = headers['x-merchant-orders-sandbox'];
    return typeof identity === 'string' ? identity : undefined;
  } catch {
    return undefined;
  }
}
