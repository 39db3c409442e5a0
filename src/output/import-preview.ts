import { cleanCell, inWords, shorten } from '../clean-text.ts';
import type { WarningCount } from '../import/problem.ts';
import type { Json } from '../orders/json.ts';
import { formatAmount } from './amount.ts';
import { flattenFields } from './fields.ts';
import { widthOf } from './table.ts';
import { foldSections, type Section, wrapText } from './wrapped-text.ts';

export interface ImportPreview {
  file: string;
  shop: string | undefined;
  remembered?: string | undefined;
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
  toCollect: string | undefined;
  collecting: number;
  /** Orders with the method cash on delivery that are paid already. */
  paidOnDelivery: number;
  firstDate: string | undefined;
  lastDate: string | undefined;
  /** Orders whose lines could be added up, and those among them whose sum is the total. */
  sums: { compared: number; agreeing: number };
  leftOut: Readonly<Record<string, number>>;
  warnings: readonly WarningCount[];
  /** A sentence for each column that the user ignores. */
  ignored: readonly string[];
  alreadyCreated: number;
  /** Orders that exist with other content, or are cancelled. */
  conflicts: number;
  invalid: number;
  /** `isExtra` for fields that the interface does not name. */
  mapping: { header: string; path: string; isExtra: boolean }[];
  unsent: string[];
  firstOrder: { [field: string]: Json };
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
    const sections = sectionsOf(preview, unlimited).flatMap(({ maxLines: _, ...section }) =>
      section.name === 'first order' ? oneByOne(section) : [section],
    );
    return [file, ...foldSections(sections, nameWidth, width, unlimited.lines).lines].join('\n');
  }
  const below = question === undefined ? 0 : 1 + wrapQuestion(question, width).length;
  const sections = sectionsOf(preview, limited);
  const { lines, isFolded } = foldSections(sections, nameWidth, width, screenLines - 1 - below);
  return [formatTitle(file, isFolded, width), ...lines].join('\n');
}

const promptWidth = '? '.length + ' (y/N) '.length;

/** Leaves room for what the prompt adds. */
export function wrapQuestion(question: string, width: number): string[] {
  return wrapText(question, Math.max(20, width - promptWidth));
}

const detailsHint = '   (--details shows everything)';
const shortDetailsHint = '   (more: --details)';
const minFileWidth = 20;

function formatTitle(file: string, isFolded: boolean, width: number): string {
  const isNarrow = width < detailsHint.length + minFileWidth;
  const hint = !isFolded ? '' : isNarrow ? shortDetailsHint : detailsHint;
  const letters = [...file];
  const columns = Math.max(10, width - hint.length);
  const room = widthOf(file) > letters.length ? Math.floor(columns / 2) : columns;
  return `${letters.length > room ? `…${letters.slice(1 - room).join('')}` : file}${hint}`;
}

function oneByOne({ name, texts, separator }: Section): Section[] {
  return texts.map((text, index) => ({ name: index === 0 ? name : '', texts: [text], separator }));
}

const delimiterNames: Record<string, string> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'TABs',
  '|': 'bars',
};

function sectionsOf(preview: ImportPreview, limits: { length: number; rows: number }): Section[] {
  const { orders, collecting, leftOut, firstDate, lastDate, mapping, sums, shop, warnings } = preview;
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
  const { remembered } = preview;
  const byMapping = remembered === undefined ? '' : `mapping ${remembered} (remembered)`;
  const readAs = [shop === undefined ? '' : withArticle(shop), byMapping, ...form];
  const isExtra = (wanted: boolean) => mapping.filter((column) => column.isExtra === wanted).map(nameOf);
  return [
    fact('read as', readAs.filter((text) => text !== '').join(', ')),
    list('fields', isExtra(false), 3),
    list('extra fields', isExtra(true), 2),
    list('not sent', preview.unsent, 1),
    list('first order', firstFields(preview.firstOrder, limits.length), 4),
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
    sentences('note', preview.notes),
    list(
      'warnings',
      warnings.map((warning) => formatWarning(warning, limits.rows)),
      2,
    ),
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

function formatPrepaid({ orders, collecting, paidOnDelivery }: ImportPreview): string {
  if (orders === collecting) return 'no order';
  const paid = paidOnDelivery === 0 ? '' : `, ${paidOnDelivery} of them by cash on delivery and paid already`;
  return `${countOf(orders - collecting, 'order')}${paid}`;
}

function formatWarning({ code, count, rows }: WarningCount, maxRows: number): string {
  if (rows.length === 0) return `${count} ${code}`;
  const shown = rows.slice(0, maxRows).join(', ') + (rows.length > maxRows ? ', ...' : '');
  return `${count} ${code} (${rows.length === 1 ? 'row' : 'rows'} ${shown})`;
}

const firstOfOrder = [
  'externalOrderId',
  'customer.phone',
  'collectionMode',
  'collectionAmount',
  'total',
  'requestedDeliveryDate',
];

/** The most important fields first. */
function firstFields(order: ImportPreview['firstOrder'], maxLength: number): string[] {
  const rank = (path: string) => {
    const place = firstOfOrder.indexOf(path);
    return place < 0 ? firstOfOrder.length : place;
  };
  return flattenFields(order)
    .toSorted((left, right) => rank(left.path) - rank(right.path))
    .map(({ path, text }) => `${path}: ${shorten(text, maxLength)}`);
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

function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

function nameOf({ header, path }: { header: string; path: string }): string {
  return header === path ? path : `${header} → ${path}`;
}
