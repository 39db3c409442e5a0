import { get } from 'node:http';

const patienceMs = 500;
export const identityHeader = 'X-Merchant-Orders-Sandbox';

/** The identity of the sandbox that is served at an address; undefined when nobody answers, or somebody else does. */
export function probeSandbox(baseUrl: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(baseUrl, { timeout: patienceMs, agent: false }, (response) => {
      response.resume();
      const identity = response.headers[identityHeader.toLowerCase()];
      resolve(typeof identity === 'string' ? identity : undefined);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(undefined));
  });
}
