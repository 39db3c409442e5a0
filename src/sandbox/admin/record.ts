import { z } from 'zod';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { assertionNames, assertRecord } from '../record/assertions.ts';
import { emptyStore } from '../store/reset.ts';
import { respellSharedPhone } from '../store/seed.ts';
import { readAdminBody } from './admin-problem.ts';

/** GET /_sandbox/info: what is here now. */
export function infoRoute({ store, behaviour, clock }: SandboxParts) {
  return (context: SandboxContext): Response =>
    context.json({
      identity: store.identity.read(),
      behaviour: behaviour.name,
      now: new Date(clock.now()).toISOString(),
      requests: store.requests.totals().requests,
      orders: store.orders.count(),
      products: store.products.count(),
    });
}

/** GET /_sandbox/ledger: what really happened; `?without=attempts` leaves out the list of all requests. */
export function ledgerRoute({ store }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const { requests } = store;
    const told = {
      ...requests.totals(),
      orders: store.commits(),
      keys: requests.keys(),
      early: requests.early(),
      authorizations: requests.authorizations(),
    };
    const isShort = context.req.query('without') === 'attempts';
    return context.json(isShort ? told : { ...told, attempts: requests.all() });
  };
}

const assertBody = z.strictObject({
  checks: z
    .array(z.enum(assertionNames))
    .min(1)
    .default([...assertionNames]),
  externalOrderIds: z.array(z.string()).optional(),
});

/** POST /_sandbox/assert: what a client promises, held against the ledger. */
export function assertRoute({ store }: SandboxParts) {
  return async (context: SandboxContext): Promise<Response> => {
    const { checks, externalOrderIds } = await readAdminBody(context, assertBody);
    const results = assertRecord(store, checks, externalOrderIds);
    return context.json({ passed: results.every(({ passed }) => passed), checks: results });
  };
}

/** POST /_sandbox/reset: forgets orders, customers, idempotency keys and the ledger. */
export function resetRoute({ store, behaviour, faults, randomUuid }: SandboxParts) {
  return (context: SandboxContext): Response => {
    faults.forgetLater();
    emptyStore(store, randomUuid);
    respellSharedPhone(store, behaviour.customers.phone);
    return context.json({ identity: store.identity.read() });
  };
}
