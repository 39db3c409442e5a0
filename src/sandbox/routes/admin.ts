import type { SandboxContext, SandboxParts } from '../parts.ts';
import { answer } from '../wire/answer.ts';

/** GET /_sandbox/info: what is here now. */
export function infoRoute({ store, record }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const identity = store.identity.read();
    const orders = store.orders.count();
    const products = store.products.count();
    return answer(
      context,
      200,
      JSON.stringify({ identity, requests: record.requestCount(), orders, products }),
    );
  };
}

/** GET /_sandbox/ledger: what really happened, for tests to compare with. */
export function ledgerRoute({ store, record }: SandboxParts) {
  return (context: SandboxContext): Response => {
    return answer(context, 200, JSON.stringify({ requests: record.requestCount(), orders: store.commits() }));
  };
}
