import type { Ledger } from '../ledger/ledger.ts';

/** The spelling under which the ledger knows an id that it does not know as it is: `1013` for `#1013`, `12` for `0012`. */
export function otherSpelling(externalOrderId: string, ledger: Ledger): string | undefined {
  if (ledger.orders.recall(externalOrderId) !== undefined) return undefined;
  return spellings(externalOrderId).find((spelling) => ledger.orders.recall(spelling) !== undefined);
}

function spellings(id: string): string[] {
  const bare = id.replace(/^#/, '');
  const short = bare.replace(/^0+(?=\d)/, '');
  return [...new Set([bare, `#${bare}`, short, `#${short}`])].filter((spelling) => spelling !== id);
}
