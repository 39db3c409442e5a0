import type { Json } from '../orders/json.ts';
import { flattenFields } from './fields.ts';
import { formatAmount } from './order-preview.ts';
import { cleanCell } from './print.ts';

export interface ImportPreview {
  file: string;
  encoding: string;
  delimiter: string;
  notes: readonly string[];
  /** Where the orders would be sent; undefined when there is no key yet. */
  service: 'LIVE' | 'SANDBOX' | undefined;
  orders: number;
  lines: number;
  /** Sums over all orders, as decimal strings; undefined when no order has an amount. */
  total: string | undefined;
  toCollect: string | undefined;
  firstDate: string | undefined;
  lastDate: string | undefined;
  alreadyCreated: number;
  /** The columns that are sent; `isExtra` for fields that the interface does not name. */
  mapping: { header: string; path: string; isExtra: boolean }[];
  unsent: string[];
  firstOrder: { [field: string]: Json };
}

const maxListed = 100;
const maxTextLength = 1000;
const delimiterNames: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'TABs',
  '|': 'bars',
};

export function formatImportPreview(preview: ImportPreview): string {
  const { orders, lines, total, toCollect, firstDate, lastDate, alreadyCreated, mapping, unsent } = preview;
  const sent = mapping.filter(({ isExtra }) => !isExtra).map(nameOf);
  const extra = mapping.filter(({ isExtra }) => isExtra).map(nameOf);
  const facts: [string, string][] = [
    [
      'read as',
      `${preview.encoding}, ${delimiterNames[preview.delimiter] ?? preview.delimiter} between cells`,
    ],
    ...preview.notes.map((note): [string, string] => ['note', note]),
    ['service', preview.service ?? ''],
    ['orders', `${orders} with ${lines} ${lines === 1 ? 'line' : 'lines'}`],
    ['total', total === undefined ? '' : formatAmount(total)],
    ['to collect', toCollect === undefined ? '' : formatAmount(toCollect)],
    [
      'delivery',
      firstDate === undefined ? '' : firstDate === lastDate ? firstDate : `${firstDate} to ${lastDate}`,
    ],
    ['already exist', alreadyCreated === 0 ? '' : String(alreadyCreated)],
    ['fields', sent.join(', ')],
    ['extra fields', extra.join(', ')],
    ['not sent', listSome(unsent)],
  ];
  const summary = facts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name.padEnd(15)}${cleanCell(text)}`);
  const first = flattenFields(preview.firstOrder).map(
    ({ path, text }) => `  ${path}: ${shorten(cleanCell(text))}`,
  );
  return [cleanCell(preview.file), ...summary, ...(first.length > 0 ? ['first order', ...first] : [])].join(
    '\n',
  );
}

export function withArticle(title: string): string {
  return `${/^[aeio]/i.test(title) ? 'an' : 'a'} ${title}`;
}

/** `8 fulfilled, 4 cancelled`, the most frequent reason first. */
export function listLeftOut(byReason: Readonly<Record<string, number>>): string {
  return Object.entries(byReason)
    .sort(([, left], [, right]) => right - left)
    .map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
    .join(', ');
}

function listSome(names: readonly string[]): string {
  const more = names.length - maxListed;
  const shown = names.slice(0, maxListed).map(shorten).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

function nameOf({ header, path }: { header: string; path: string }): string {
  return header === path ? path : `${header} → ${path}`;
}
