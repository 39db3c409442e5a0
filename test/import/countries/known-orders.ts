import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonOrder } from '../../support/plan-file.ts';
import { fixture } from '../tables.ts';
import type { ColumnKind, KnownOrder } from './shop-person.ts';

/** What a person who had not read the code says of a file that they made up. */
export interface Known {
  delimiter: string;
  headerRows: number[];
  columns: Record<string, ColumnKind>;
  /** Other headers for the same file. */
  odd?: { headers: string[][]; columns: Record<string, ColumnKind> };
  orders: KnownOrder[];
}

export interface KnownSheet {
  name: string;
  known: Known;
  text: string;
  columns: Record<string, ColumnKind>;
}

const folder = fixture('countries');

/** Exports and sheets of shops of many countries, each also with headers that no list has where there are some. */
export function knownSheets(): KnownSheet[] {
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.csv') ? [file.slice(0, -4)] : []));
  const sheets = names.map((name): KnownSheet => {
    const known: Known = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    const text = readFileSync(join(folder, `${name}.csv`), 'utf8').replace(/^\uFEFF/, '');
    return { name, known, text, columns: known.columns };
  });
  const odd = sheets.flatMap(({ name, known, text }): KnownSheet[] => {
    const { odd } = known;
    if (odd === undefined) return [];
    return [
      { name: `${name} (odd)`, known, text: withHeaders(text, known, odd.headers), columns: odd.columns },
    ];
  });
  return [...sheets, ...odd];
}

function withHeaders(
  text: string,
  { delimiter, headerRows }: Known,
  headers: readonly (readonly string[])[],
): string {
  const lines = text.split(/\r?\n/);
  const cellOf = (cell: string) =>
    /["\n]/.test(cell) || cell.includes(delimiter) ? JSON.stringify(cell) : cell;
  for (const [place, row] of headerRows.entries()) {
    lines[row - 1] = (headers[place] ?? []).map(cellOf).join(delimiter);
  }
  return lines.join('\n');
}

/** What a dry run printed as ndjson: its orders by row; undefined when the file is refused. */
export function plannedOrders(stdout: string): Map<number, JsonOrder> | undefined {
  const lines = stdout.trimEnd().split('\n');
  if (!lines.at(-1)?.startsWith('{"file":')) return undefined;
  return new Map(lines.slice(0, -1).map((line) => [JSON.parse(line).row, JSON.parse(line)]));
}

/** The code with which a run ended. */
export function codeIn(stderr: string): string {
  return /"code":"(\w+)"/.exec(stderr.slice(stderr.lastIndexOf('{"error"')))?.[1] ?? 'left';
}

/** How a planned order differs from what the shop meant; one that is to be fixed is not sent. */
export function differences(order: KnownOrder, line: JsonOrder | undefined): string[] {
  const at = `row ${order.row}`;
  if (line === undefined) return [`${at}: there is no such order`];
  if (line.outcome === 'invalid') return [];
  const isLeftOut = line.outcome === 'left_out';
  if (isLeftOut !== (order.leftOut !== undefined)) {
    return [
      isLeftOut ? `${at}: it is left out: ${line.code}` : `${at}: it is to be left out: ${order.leftOut}`,
    ];
  }
  if (isLeftOut) return [];
  const { customer, collectionMode, collectionAmount, items = [], deliveryAddress = {} } = line.request;
  const digits = (phone = '') => phone.replace(/\D/g, '').replace(/^976(?=\d{8}$)/, '');
  const collect = collectionMode === 'COLLECT' ? Number(collectionAmount) : 0;
  const linesBy = (first: 'sku' | 'name', second: 'sku' | 'name') =>
    items
      .map((item: JsonOrder) => `${item.quantity ?? 1} × ${item[first] ?? item[second]}`)
      .sort()
      .join(', ');
  const wanted = [...(order.items ?? [])].sort().join(', ');
  const sent = JSON.stringify(deliveryAddress);
  const lost = (order.address ?? '')
    .split(', ')
    .filter((part) => !sent.includes(JSON.stringify(part).slice(1, -1)));
  return [
    ...(digits(customer?.phone) === digits(order.phone)
      ? []
      : [`${at}: phone ${customer?.phone}, not ${order.phone}`]),
    ...(collect === order.collect ? [] : [`${at}: collects ${collect}, not ${order.collect}`]),
    ...([linesBy('sku', 'name'), linesBy('name', 'sku')].includes(wanted)
      ? []
      : [`${at}: lines ${linesBy('sku', 'name')}, not ${wanted}`]),
    ...lost.map((part) => `${at}: its address lacks ${part}`),
  ];
}
