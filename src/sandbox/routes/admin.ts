import type { SandboxContext, SandboxParts } from '../parts.ts';
import { answer, jsonAnswer } from '../wire/answer.ts';

/** GET /_sandbox/info: what is here now. */
export function infoRoute({ store, behaviour, record }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const identity = store.identity.read();
    const orders = store.orders.count();
    const products = store.products.count();
    const told = { identity, behaviour: behaviour.name, requests: record.requestCount(), orders, products };
    return answer(context, jsonAnswer(200, JSON.stringify(told)));
  };
}

/** GET /_sandbox/ledger: what really happened, for tests to compare with. */
export function ledgerRoute({ store, record }: SandboxParts) {
  return (context: SandboxContext): Response => {
    const told = { requests: record.requestCount(), orders: store.commits() };
    return answer(context, jsonAnswer(200, JSON.stringify(told)));
  };
}
