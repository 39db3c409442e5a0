import { z } from 'zod';
import type { SandboxContext } from '../http/context.ts';
import { assertionNames, checkAssertions } from '../record/assertions.ts';
import type { Service } from '../rules/service.ts';
import { readAdminBody } from './admin-request.ts';

/** GET /_sandbox/ledger: what the service received and committed; `?without=attempts` omits the single requests. */
export function ledgerRoute({ store }: Service) {
  return (context: SandboxContext): Response => {
    const { requests } = store;
    const summary = {
      ...requests.totals(),
      orders: store.commits(),
      keys: requests.keys(),
      early: requests.early(),
      authorizations: requests.authorizations(),
    };
    const isShort = context.req.query('without') === 'attempts';
    return context.json(isShort ? summary : { ...summary, attempts: requests.all() });
  };
}

const assertBody = z.strictObject({
  checks: z
    .array(z.enum(assertionNames))
    .min(1)
    .default([...assertionNames]),
  externalOrderIds: z.array(z.string()).optional(),
});

/** POST /_sandbox/assert: checks the promises of a client against the request log. */
export function assertRoute({ store }: Service) {
  return async (context: SandboxContext): Promise<Response> => {
    const { checks, externalOrderIds } = await readAdminBody(context, assertBody);
    const results = checkAssertions(store, checks, externalOrderIds);
    return context.json({ passed: results.every(({ passed }) => passed), checks: results });
  };
}
