import { advice, joinTexts, type Say, sayInEnglish, type Text, t } from '../advice/advice.ts';
import { cleanCell, shorten } from '../clean-text.ts';
import type { FoldedProblem, ReportedProblem } from '../import/problem.ts';
import { formatAmount } from '../orders/decimal.ts';
import type { Order } from '../orders/order.ts';
import type { FieldPaths } from '../orders/unnamed-fields.ts';
import { widthOf } from '../text-width.ts';
import { formatOrder, formatOrderInWords } from './order-view.ts';
import { foldSections, type Section, widthBeside, wrapText } from './wrapped-text.ts';

export interface ImportPreview {
  file: string;
  shop: Text | undefined;
  remembered?: string | undefined;
  /** The mapping file. */
  map?: string | undefined;
  encoding: string;
  delimiter: string;
  /** Of a workbook, which has neither encoding nor delimiter. */
  sheet?: string | undefined;
  notes: readonly Text[];
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
  /** `reasons` with their counts, the most frequent first. */
  leftOut: { total: number; reasons: readonly Text[] };
  /** Orders by a shipping method that is not known as a delivery. */
  shippingMethods: Readonly<Record<string, number>>;
  /** Those that are shown nowhere else. */
  warnings: readonly FoldedProblem<ReportedProblem>[];
  /** A sentence for each column that the user ignores. */
  ignored: readonly Text[];
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
  fieldPaths: FieldPaths;
}

interface PreviewLook {
  width: number;
  isDetailed: boolean;
  say?: Say;
  /** Asked below the preview, on the same screen. */
  question?: string;
}

const screenLines = 24;
const nameWidth = 15;
const limited = { length: 60, rows: 3 };
const unlimited = { length: Number.POSITIVE_INFINITY, rows: 20, lines: Number.POSITIVE_INFINITY };

interface Part extends Omit<Section, 'name' | 'texts'> {
  name: Text;
  texts: readonly Text[];
}

/** One screen, with the most important lines last; what does not fit is counted. */
export function formatImportPreview(
  preview: ImportPreview,
  { width, isDetailed, say = sayInEnglish, question }: PreviewLook,
): string {
  const file = cleanCell(preview.file);
  const toSection = ({ name, texts, ...part }: Part): Section => {
    return { ...part, name: say(name), texts: texts.map(say) };
  };
  if (isDetailed) {
    const sections = partsOf(preview, columnsAndOrders(preview, say), unlimited)
      .map(({ maxLines: _, ...part }) => part)
      .map(toSection);
    return [file, ...foldSections(sections, nameWidth, width, { maxLines: unlimited.lines, say })].join('\n');
  }
  const below = question === undefined ? 0 : 1 + wrapQuestion(question, width).length;
  const orders = ordersInWords(preview, { width: widthBeside(nameWidth, width), say });
  const sections = partsOf(preview, orders, limited).map(toSection);
  const lines = foldSections(sections, nameWidth, width, { maxLines: screenLines - 1 - below, say });
  return [formatTitle(file, width, say), ...lines].join('\n');
}

const promptWidth = '? '.length + ' (y/N) '.length;

/** Leaves room for what the prompt adds. */
export function wrapQuestion(question: string, width: number): string[] {
  return wrapText(question, Math.max(20, width - promptWidth));
}

const minFileWidth = 20;

function formatTitle(file: string, width: number, say: Say): string {
  const hints = [t`(--details shows everything)`, t`(more: --details)`].map((hint) => `   ${say(hint)}`);
  const [whole = '', short = ''] = hints;
  const hint = width < whole.length + minFileWidth ? short : whole;
  const letters = [...file];
  const columns = Math.max(10, width - hint.length);
  const room = widthOf(file) > letters.length ? Math.floor(columns / 2) : columns;
  return `${letters.length > room ? `…${letters.slice(1 - room).join('')}` : file}${hint}`;
}

function ordersInWords(
  { firstOrders, fieldPaths }: ImportPreview,
  { width, say }: { width: number; say: Say },
): Part[] {
  return firstOrders.map((first, index) => ({
    name: index > 0 ? '' : firstOrders.length === 1 ? t`first order` : t`first orders`,
    texts: [formatOrderInWords(first, { fieldPaths, width, say })],
    separator: '',
    maxLines: 2,
  }));
}

/** The column of each field, then each order with all of its fields. */
function columnsAndOrders({ mapping, firstOrders, fieldPaths }: ImportPreview, say: Say): Part[] {
  const columns = { name: t`columns`, texts: mapping.map(describeColumn), separator: ', ' };
  const orders = firstOrders.flatMap(({ order, row }) => {
    const lines = formatOrder(order, 'create', { fieldPaths, say }).split('\n');
    return lines.map((text, index) => ({
      name: index === 0 ? t`row ${row}` : '',
      texts: [text],
      separator: '',
    }));
  });
  return [columns, ...orders];
}

const delimiterNames: Record<string, Text> = {
  ',': t`commas between cells`,
  ';': t`semicolons between cells`,
  '\t': t`TABs between cells`,
  '|': t`bars between cells`,
};

function partsOf(
  preview: ImportPreview,
  ofOrders: readonly Part[],
  limits: { length: number; rows: number },
): Part[] {
  const { orders, leftOut, firstDate, lastDate, sums, shop, warnings, notRead } = preview;
  const list = (name: Text, texts: readonly Text[], maxLines: number): Part => {
    return { name, texts, separator: ', ', maxLines };
  };
  const fact = (name: Text, text: Text | undefined): Part => {
    return { name, texts: text === undefined ? [] : [text], separator: '' };
  };
  const sentences = (name: Text, texts: readonly Text[]): Part => {
    return { name, texts, separator: ' ', maxLines: 3 };
  };
  const delimiter = delimiterNames[preview.delimiter] ?? t`${preview.delimiter} between cells`;
  const form = preview.sheet === undefined ? [preview.encoding, delimiter] : [t`sheet "${preview.sheet}"`];
  const { remembered, map } = preview;
  const readAs = [
    ...(shop === undefined ? [] : [withArticle(shop)]),
    ...(remembered === undefined ? [] : [t`mapping ${remembered} (remembered)`]),
    ...(map === undefined ? [] : [t`mapping file ${shorten(map, limits.length)}`]),
    ...form,
  ];
  const short = (text: string) => shorten(text, limits.length);
  return [
    fact(t`read as`, joinTexts(readAs, ', ')),
    ...ofOrders,
    fact(t`orders`, formatOrders(preview)),
    fact(t`already paid`, orders === 0 ? undefined : formatPrepaid(preview)),
    fact(t`to collect`, orders === 0 ? undefined : formatToCollect(preview)),
    fact(
      t`delivery`,
      firstDate === lastDate || firstDate === undefined ? firstDate : t`${firstDate} to ${lastDate ?? ''}`,
    ),
    fact(t`phones`, formatPhones(preview.repeatedPhones)),
    fact(t`sums`, sums.compared === 0 ? undefined : formatSums(sums)),
    fact(t`to fix`, preview.invalid === 0 ? undefined : formatInvalid(preview.invalid)),
    list(t`left out`, textsOfLeftOut(leftOut), 2),
    list(t`not read`, withCount(notRead.map(short)), 1),
    list(t`shipping`, shippingTexts(preview.shippingMethods).map(short), 2),
    sentences(t`note`, preview.notes),
    {
      name: t`warnings`,
      texts: warnings.map((warning) => formatWarning(warning, limits.rows)),
      separator: '; ',
      maxLines: 3,
    },
    fact(t`already exist`, preview.alreadyCreated === 0 ? undefined : countOrders(preview.alreadyCreated)),
    fact(t`conflicts`, preview.conflicts === 0 ? undefined : formatConflicts(preview.conflicts)),
    sentences(t`ignored`, preview.ignored),
    fact(t`service`, preview.service && serviceTexts[preview.service]),
  ].filter(({ texts }) => texts.length > 0);
}

const serviceTexts = {
  LIVE: t`LIVE: these orders are real, and will be delivered`,
  SANDBOX: t`sandbox, a rehearsal: nothing is delivered`,
};

export function countOrders(count: number): Text {
  return t`${count} {order|orders}`;
}

function formatOrders({ orders, lines, total }: ImportPreview): Text {
  if (total === undefined) return t`${orders} with ${lines} {line|lines}`;
  const sum = formatAmount(total);
  return t`${orders} with ${lines} {line|lines}, ${sum} in total`;
}

function formatConflicts(count: number): Text {
  return t`${count} {order|orders} with other content than before, or cancelled: not sent`;
}

function formatPrepaid({ orders, collecting, prepaidTotal, paidOnDelivery }: ImportPreview): Text {
  if (orders === collecting) return t`none`;
  const count = countOrders(orders - collecting);
  return joinTexts(
    [
      prepaidTotal === undefined ? count : t`${count}, ${formatAmount(prepaidTotal)} in total`,
      ...(paidOnDelivery === 0 ? [] : [t`${paidOnDelivery} of them by cash on delivery and paid already`]),
    ],
    ', ',
  );
}

function formatToCollect({ collecting, toCollect }: ImportPreview): Text {
  if (collecting === 0) return t`nothing`;
  const amount = formatAmount(toCollect ?? '0');
  return t`${amount} from ${collecting} {order|orders}`;
}

function formatPhones(repeated: number): Text | undefined {
  if (repeated === 0) return undefined;
  return t`${repeated} {phone|phones} with several orders`;
}

function formatSums({ compared, agreeing }: ImportPreview['sums']): Text {
  return t`lines add up to the totals in ${agreeing} of ${compared} {order|orders}`;
}

function formatInvalid(count: number): Text {
  return t`${count} {order|orders}, not sent because of errors`;
}

/** `Delivery date is in the past (28 times: rows 2, 9, 12, ...)` */
function formatWarning({ first, others, otherRows }: FoldedProblem<ReportedProblem>, maxRows: number): Text {
  const { header, path, value, problem, row } = first;
  const given = value === undefined || others > 0 ? '' : `"${shorten(value, maxShownLength)}"`;
  const column = shorten(header ?? path ?? '', maxShownLength);
  const text = joinTexts(
    [column, given, problem].filter((part) => part !== ''),
    ' ',
  );
  if (row === undefined || first.about !== 'order') return text;
  if (others === 0) return t`${text} (row ${row})`;
  const rows = [...new Set([row, ...otherRows])];
  const shown = rows.slice(0, maxRows).join(', ') + (others >= Math.min(rows.length, maxRows) ? ', ...' : '');
  return t`${text} (${others + 1} times: rows ${shown})`;
}

const maxShownLength = 40;

/** `12 columns: Tags`, `Source` */
function withCount(columns: readonly string[]): Text[] {
  const [first, ...others] = columns;
  if (first === undefined) return [];
  const counted = t`${columns.length} {column|columns}: ${first}`;
  return [counted, ...others];
}

/** `Standard (12)`, `Express (3)`: the most frequent first. */
function shippingTexts(methods: ImportPreview['shippingMethods']): string[] {
  return Object.entries(methods)
    .sort(([, left], [, right]) => right - left)
    .map(([method, count]) => `${shorten(method, maxShownLength)} (${count})`);
}

export function withArticle(title: Text): Text {
  return /^[aeio]/i.test(String(title)) ? t`an ${title}` : t`a ${title}`;
}

function textsOfLeftOut({ total, reasons: [first, ...others] }: ImportPreview['leftOut']): Text[] {
  return first === undefined ? [] : [advice`${total}: ${first}`, ...others];
}

function describeColumn({ header, path }: { header: string; path: string }): string {
  return header === path ? path : `${header} → ${path}`;
}
