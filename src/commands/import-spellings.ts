import { otherSpelling } from '../import/other-spelling.ts';
import type { PlannedOrder } from '../import/plan.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Print } from '../output/print.ts';

const mostNamed = 3;

/** Finds the orders that an earlier import knew under another spelling of their ids: they would be created again. */
export function createSpellingWarning(ledger: Ledger) {
  const named: string[] = [];
  let count = 0;
  return {
    see: ({ externalOrderId }: PlannedOrder): void => {
      const other = otherSpelling(externalOrderId, ledger);
      if (other === undefined) return;
      count += 1;
      if (named.length < mostNamed) named.push(`${externalOrderId} (then ${other})`);
    },
    tell: (print: Print): void => {
      if (count === 0) return;
      const orders = count === 1 ? '1 order was' : `${count} orders were`;
      const list = `${named.join(', ')}${count > named.length ? ', ...' : ''}`;
      print.note(
        `warning: ${orders} imported before under another spelling of the id and would be created again: ${list}`,
      );
    },
  };
}
