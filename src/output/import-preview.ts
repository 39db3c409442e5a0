import { cleanCell, countOf, inWords, shorten } from '../clean-text.ts';
import type { FoldedProblem, ReportedProblem } from '../import/problem.ts';
import type { Order } from '../orders/order.ts';
import type { FieldPlaces } from '../orders/unnamed-fields.ts';
import { formatAmount } from './amount.ts';
import { formatOrder, formatOrderInWords } from './order-view.ts';
import { widthOf } from './table.ts';
import { foldSections, type Section, widthBeside, wrapText } from './wrapped-text.ts';

export interface ImportPreview {
  file: string;
  shop: string | undefined;
  remembered?: string | undefined;
  /** The mapping file. */
  map?: string | undefined;
  encoding: string;
  delimiter: string;
  /** Of a workbook, which has neither encoding nor delimiter. */
  sheet?: string | undefined;
  notes: readonly string[];
  /** Undefined without an API key. */
  service: 'LIVE' | 'SANDBOX' | undefined;
  orders: number;
  lines: number;
  /** Decimal strings; undefined when no order has an amount. */
  total: string | undefined;
  prepaidTotal: string | undefined;
  toCollect: string | undefined;
  collecting: number;
  /** Orders with the method cash on delivery that are paid already. */
  paidOnDelivery: number;
  firstDate: string | undefined;
  lastDate: string | undefined;
  repeatedPhones: number;
  /** Orders whose lines could be added up, and those among them whose sum is the total. */
  sums: { compared: number; agreeing: number };
  leftOut: Readonly<Record<string, number>>;
  /** Orders by a shipping method that is not known as a delivery. */
  shippingMethods: Readonly<Record<string, number>>;
  /** Those that are shown nowhere else. */
  warnings: readonly FoldedProblem<ReportedProblem>[];
  /** A sentence for each column that the user ignores. */
  ignored: readonly string[];
  alreadyCreated: number;
  /** Orders that exist with other content, or are cancelled. */
  conflicts: number;
  invalid: number;
  /** `isExtra` for fields that the interface does not name. */
  mapping: { header: string; path: string; isExtra: boolean }[];
  unsent: string[];
  /** The columns from which nothing is read. */
  notRead: readonly string[];
  firstOrders: readonly { order: Order; row: number }[];
  places: FieldPlaces;
}

export interface PreviewLook {
  width: number;
  isDetailed: boolean;
  /** Asked below the preview, on the same screen. */
  question?: string;
}

const screenLines = 24;
const nameWidth = 15;
const limited = { length: 60, rows: 3 };
const unlimited = { length: Number.POSITIVE_INFINITY, rows: 20, lines: Number.POSITIVE_INFINITY };

/** One screen, with the most important lines last; what does not fit is counted. */
export function formatImportPreview(
  preview: ImportPreview,
  { width, isDetailed, question }: PreviewLook,
): string {
  const file = cleanCell(preview.file);
  if (isDetailed) {
    const sections = sectionsOf(preview, columnsAndOrders(preview), unlimited).map(
      ({ maxLines: _, ...section }) => section,
    );
    return [file, ...foldSections(sections, nameWidth, width, unlimited.lines)].join('\n');
  }
  const below = question === undefined ? 0 : 1 + wrapQuestion(question, width).length;
  const sections = sectionsOf(preview, ordersInWords(preview, widthBeside(nameWidth, width)), limited);
  const lines = foldSections(sections, nameWidth, width, screenLines - 1 - below);
  return [formatTitle(file, width), ...lines].join('\n');
}

const promptWidth = '? '.length + ' (y/N) '.length;

/** Leaves room for what the prompt adds. */
export function wrapQuestion(question: string, width: number): string[] {
  return wrapText(question, Math.max(20, width - promptWidth));
}

const detailsHint = '   (--details shows everything)';
const shortDetailsHint = '   (more: --details)';
const minFileWidth = 20;

function formatTitle(file: string, width: number): string {
  const hint = width < detailsHint.length + minFileWidth ? shortDetailsHint : detailsHint;
  const letters = [...file];
  const columns = Math.max(10, width - hint.length);
  const room = widthOf(file) > letters.length ? Math.floor(columns / 2) : columns;
  return `${letters.length > room ? `…${letters.slice(1 - room).join('')}` : file}${hint}`;
}

function ordersInWords({ firstOrders, places }: ImportPreview, width: number): Section[] {
  return firstOrders.map((first, index) => ({
    name: index > 0 ? '' : firstOrders.length === 1 ? 'first order' : 'first orders',
    texts: [formatOrderInWords(first, { places, width })],
    separator: '',
    maxLines: 2,
  }));
}

/** The column of each field, then each order with all of its fields. */
function columnsAndOrders({ mapping, firstOrders, places }: ImportPreview): Section[] {
  const columns = { name: 'columns', texts: mapping.map(nameOf), separator: ', ' };
  const orders = firstOrders.flatMap(({ order, row }) => {
    const lines = formatOrder(order, 'create', { places }).split('\n');
    return lines.map((text, index) => ({
      name: index === 0 ? `row ${row}` : '',
      texts: [text],
      separator: '',
    }));
  });
  return [columns, ...orders];
}

const delimiterNames: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'TABs',
  '|': 'bars',
};

function sectionsOf(
  preview: ImportPreview,
  ofOrders: readonly Section[],
  limits: { length: number; rows: number },
): Section[] {
  const { orders, collecting, leftOut, firstDate, lastDate, sums, shop, warnings, notRead } = preview;
  const list = (name: string, texts: readonly string[], maxLines: number): Section => ({
    name,
    texts: texts.map((text) => shorten(text, limits.length)),
    separator: ', ',
    maxLines,
  });
  const fact = (name: string, text: string): Section => ({
    name,
    texts: text === '' ? [] : [text],
    separator: '',
  });
  const sentences = (name: string, texts: readonly string[]): Section => ({
    name,
    texts,
    separator: ' ',
    maxLines: 3,
  });
  const delimiter = `${delimiterNames[preview.delimiter] ?? preview.delimiter} between cells`;
  const form = preview.sheet === undefined ? [preview.encoding, delimiter] : [`sheet "${preview.sheet}"`];
  const { remembered, map } = preview;
  const byMapping = remembered === undefined ? '' : `mapping ${remembered} (remembered)`;
  const byFile = map === undefined ? '' : `mapping file ${shorten(map, limits.length)}`;
  const readAs = [shop === undefined ? '' : withArticle(shop), byMapping, byFile, ...form];
  return [
    fact('read as', readAs.filter((text) => text !== '').join(', ')),
    ...ofOrders,
    fact('orders', formatOrders(preview)),
    fact('prepaid', orders === 0 ? '' : formatPrepaid(preview)),
    fact(
      'to collect',
      orders === 0
        ? ''
        : collecting === 0
          ? 'nothing'
          : `${formatAmount(preview.toCollect ?? '0')} from ${countOf(collecting, 'order')}`,
    ),
    fact(
      'delivery',
      firstDate === undefined ? '' : firstDate === lastDate ? firstDate : `${firstDate} to ${lastDate}`,
    ),
    fact(
      'phones',
      preview.repeatedPhones === 0 ? '' : `${countOf(preview.repeatedPhones, 'phone')} with several orders`,
    ),
    fact(
      'sums',
      sums.compared === 0
        ? ''
        : `lines add up to the totals in ${sums.agreeing} of ${countOf(sums.compared, 'order')}`,
    ),
    fact(
      'to fix',
      preview.invalid === 0 ? '' : `${countOf(preview.invalid, 'order')}, not sent because of errors`,
    ),
    list('left out', leftOutTexts(leftOut), 2),
    list('not read', withCount(notRead), 1),
    list('shipping', shippingTexts(preview.shippingMethods), 2),
    sentences('note', preview.notes),
    {
      name: 'warnings',
      texts: warnings.map((warning) => formatWarning(warning, limits.rows)),
      separator: '; ',
      maxLines: 3,
    },
    fact('already exist', preview.alreadyCreated === 0 ? '' : countOf(preview.alreadyCreated, 'order')),
    fact('conflicts', formatConflicts(preview.conflicts)),
    sentences('ignored', preview.ignored),
    fact('service', serviceTexts[preview.service ?? 'none']),
  ].filter(({ texts }) => texts.length > 0);
}

const serviceTexts = {
  LIVE: 'LIVE: these orders are real, and will be delivered',
  SANDBOX: 'sandbox, a rehearsal: nothing is delivered',
  none: '',
};

function formatOrders({ orders, lines, total }: ImportPreview): string {
  const sum = total === undefined ? '' : `, ${formatAmount(total)} in total`;
  return `${orders} with ${countOf(lines, 'line')}${sum}`;
}

function formatConflicts(count: number): string {
  if (count === 0) return '';
  return `${countOf(count, 'order')} with other content than before, or cancelled: not sent`;
}

function formatPrepaid({ orders, collecting, prepaidTotal, paidOnDelivery }: ImportPreview): string {
  if (orders === collecting) return 'no order';
  const sum = prepaidTotal === undefined ? '' : `, ${formatAmount(prepaidTotal)} in total`;
  const paid = paidOnDelivery === 0 ? '' : `, ${paidOnDelivery} of them by cash on delivery and paid already`;
  return `${countOf(orders - collecting, 'order')}${sum}${paid}`;
}

/** `Delivery date is in the past (28 times: rows 2, 9, 12, ...)` */
function formatWarning(
  { first, others, otherRows }: FoldedProblem<ReportedProblem>,
  maxRows: number,
): string {
  const { header, path, value, problem, row } = first;
  const given = value === undefined || others > 0 ? '' : `"${shorten(value, maxShownLength)}"`;
  const column = shorten(header ?? path ?? '', maxShownLength);
  const text = [column, given, problem].filter((part) => part !== '').join(' ');
  if (row === undefined || first.about !== 'order') return text;
  if (others === 0) return `${text} (row ${row})`;
  const rows = [...new Set([row, ...otherRows])];
  const shown = rows.slice(0, maxRows).join(', ') + (others >= Math.min(rows.length, maxRows) ? ', ...' : '');
  return `${text} (${others + 1} times: rows ${shown})`;
}

const maxShownLength = 40;

/** `12 columns: Tags`, `Source` */
function withCount(columns: readonly string[]): string[] {
  const [first, ...others] = columns;
  return first === undefined ? [] : [`${countOf(columns.length, 'column')}: ${first}`, ...others];
}

/** `Standard (12)`, `Express (3)`: the most frequent first. */
function shippingTexts(methods: ImportPreview['shippingMethods']): string[] {
  return Object.entries(methods)
    .sort(([, left], [, right]) => right - left)
    .map(([method, count]) => `${shorten(method, maxShownLength)} (${count})`);
}

export function withArticle(title: string): string {
  return `${/^[aeio]/i.test(title) ? 'an' : 'a'} ${title}`;
}

/** `8 fulfilled`, `4 cancelled`: the most frequent first. */
export function listLeftOut(byReason: Readonly<Record<string, number>>): string[] {
  return Object.entries(byReason)
    .sort(([, left], [, right]) => right - left)
    .map(([reason, count]) => `${count} ${inWords(reason)}`);
}

function leftOutTexts(byReason: ImportPreview['leftOut']): string[] {
  const total = Object.values(byReason).reduce((sum, count) => sum + count, 0);
  const [first, ...others] = listLeftOut(byReason);
  return first === undefined ? [] : [`${total}: ${first}`, ...others];
}

function nameOf({ header, path }: { header: string; path: string }): string {
  return header === path ? path : `${header} → ${path}`;
}
