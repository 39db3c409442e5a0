import {
  foldExternalId,
  mayBeOrderNumber,
  newestNumber,
  readOrderNumber,
  spellingsOf,
  toLatin,
  toOrderNumber,
} from '../../orders/order-reference.ts';
import type { MerchantEntries } from '../send/merchant-entries.ts';
import type { FileOrder } from './file-orders.ts';
import type { OrderState } from './order-state.ts';

type States = ReadonlyMap<FileOrder, OrderState>;

interface KnownOrders {
  entries: MerchantEntries;
  /** The greatest order number in the ledger. */
  newest: string | undefined;
  /** Orders that were found. */
  found: States;
}

const maxNamed = 3;
/** Each takes a look into the ledger. */
const maxMissing = 1000;

/** Adds to orders that are missing what their names may mean, as `get` reads them. */
export function addReadings(states: Map<FileOrder, OrderState>, known: KnownOrders): void {
  const missing = [...states].filter(([, { difference }]) => difference.includes('missing'));
  if (missing.length === 0) return;
  const read = createReader(known);
  for (const [order, state] of missing.slice(0, maxMissing))
    states.set(order, { ...state, perhaps: read(order.reference) });
}

function createReader({ entries, newest, found }: KnownOrders): (reference: string) => string[] {
  const byFolded = new Map<string, string>();
  const numbers = newest === undefined ? [] : [newest];
  for (const { id, externalOrderId, orderNumber } of found.values()) {
    if (id === undefined) continue;
    if (externalOrderId !== '') byFolded.set(fold(externalOrderId), externalOrderId);
    numbers.push(orderNumber);
  }
  const last = newestNumber(numbers);
  return (reference) => {
    const text = reference.replace(/^[#№＃]\s*/u, '');
    const spelled = [...new Set([reference, text, toLatinBySound(text)].flatMap(spellingsOf))];
    const number = last === undefined || !mayBeOrderNumber(text) ? undefined : readOrderNumber(text, last);
    const ids = [
      ...spelled.flatMap((id) => byFolded.get(fold(id)) ?? []),
      ...entries.findMany(spelled).keys(),
      ...[...entries.findOtherSpellings(spelled).values()].flat(),
    ].filter((id) => id !== reference);
    if (ids.length > 0 || number === undefined) return [...new Set(ids)].slice(0, maxNamed);
    return number === toOrderNumber(reference) ? [] : [number];
  };
}

const latinBySound = new Map(Array.from('БГДЗИЛПФЦ', (letter, index) => [letter, 'BGDZILPFC'[index] ?? '']));

/** `Д-12` → `D-12`; letters that look like Latin ones as those. */
function toLatinBySound(text: string): string {
  return toLatin(text).replace(/\p{sc=Cyrl}/gu, (letter) => latinBySound.get(letter) ?? letter);
}

function fold(id: string): string {
  return foldExternalId(toLatinBySound(id));
}
