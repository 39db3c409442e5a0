import { columnsNamed, createHeader } from '../columns/header.ts';
import type { Meaning } from '../columns/meaning-names.ts';
import { findMeanings, type UnreadColumn } from '../columns/meanings.ts';
import type { HeaderRow, Row } from '../table/read-table.ts';
import { isMnt, isNothing, isPickup, methodOf, orderStateOf, paymentStateOf } from '../words.ts';

interface IgnoredFacts {
  add(order: { rows: readonly Row[] }): void;
  /** One for each column that makes a difference: `Status: 12 cancelled orders will be created`. */
  sentences(): string[];
}

export function createIgnoredFacts(row: HeaderRow, names: readonly string[]): IgnoredFacts {
  const header = createHeader(row);
  const indexes = new Set(names.flatMap((name) => columnsNamed(header, name)));
  const columns = findMeanings(header, [...indexes], []).map((column) => ({
    column,
    values: new Map<string, number>(),
  }));
  return {
    add: ({ rows }) => {
      for (const { column, values } of columns) {
        for (const value of valuesIn(rows, column)) {
          const kind = kindOf(column.meaning, value);
          if (kind !== undefined) values.set(kind, (values.get(kind) ?? 0) + 1);
        }
      }
    },
    sentences: () =>
      columns.flatMap(({ column, values }) => {
        if (values.size === 0) return [];
        return [`${clip(column.header)}: ${describe(column.meaning, values)}`];
      }),
  };
}

const maxHeaderLength = 40;

function clip(header: string): string {
  return header.length > maxHeaderLength ? `${header.slice(0, maxHeaderLength - 1)}…` : header;
}

/** One value of each order, but the quantity of each line. */
function valuesIn(rows: readonly Row[], { index, meaning }: UnreadColumn): string[] {
  const texts = rows.map(({ cells }) => cells[index] ?? '').filter((text) => !isNothing(text));
  return meaning === 'quantity' ? texts : texts.slice(0, 1);
}

const maxCurrencyLength = 12;

/** What a value would have changed. */
function kindOf(meaning: Meaning, text: string): string | undefined {
  switch (meaning) {
    case 'currency':
      return isMnt(text) ? undefined : text.slice(0, maxCurrencyLength);
    case 'state': {
      const state = orderStateOf(text);
      if (state === 'to_deliver') return undefined;
      return state === 'unknown' ? 'marked' : state.replaceAll('_', ' ');
    }
    case 'payment_method':
      return methodOf(text) === 'on_delivery' ? 'on delivery' : undefined;
    case 'payment_status':
      return paymentStateOf(text) === 'paid' ? undefined : 'open';
    case 'amount_due':
    case 'amount_paid':
      return /^0*(?:[.,]0+)?$/.test(text) ? undefined : 'open';
    case 'shipping_method':
      return isPickup(text) ? 'pickup' : undefined;
    case 'quantity':
      return /^1(?:[.,]0+)?$/.test(text) ? undefined : 'several';
    case 'address':
    case 'date':
      return 'given';
    default:
      return undefined;
  }
}

function describe(meaning: Meaning, values: ReadonlyMap<string, number>): string {
  const counts = [...values].sort(([, left], [, right]) => right - left);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const orders = total === 1 ? '1 order' : `${total} orders`;
  const [is, has] = total === 1 ? ['is', 'has'] : ['are', 'have'];
  switch (meaning) {
    case 'currency':
      return `the amounts of ${orders} in ${listKinds(counts)} are read as ₮`;
    case 'state':
      return `${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')} ${total === 1 ? 'order' : 'orders'} will be created`;
    case 'payment_method':
      return `${orders} ${is} paid on delivery`;
    case 'payment_status':
    case 'amount_due':
    case 'amount_paid':
      return `${orders} ${is} not known as paid`;
    case 'shipping_method':
      return `${orders} that the customer picks up will be delivered`;
    case 'quantity':
      return `${total === 1 ? '1 line' : `${total} lines`} of more than one piece ${is} sent without a quantity`;
    default:
      return `${orders} that ${has} it ${is} sent without it`;
  }
}

function listKinds(counts: readonly [string, number][]): string {
  const shown = counts.slice(0, 3).map(([kind]) => kind);
  return shown.join(', ') + (counts.length > shown.length ? ', ...' : '');
}
