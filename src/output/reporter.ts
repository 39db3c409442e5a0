import { type Say, sayInEnglish, type Text, t } from '../advice/advice.ts';
import { cleanCell, cleanData, cleanDataCell } from '../clean-text.ts';
import { escapeFormula, formatCsvRow } from '../csv/write-csv.ts';
import { isErrorCode } from '../errors.ts';
import { formatAmount } from '../orders/decimal.ts';
import type { Json, JsonObject } from '../orders/json.ts';
import { textField } from '../orders/order.ts';
import { defaultPaths, type FieldPaths } from '../orders/unnamed-fields.ts';
import { chosenColumns, type Field, flattenFields, pickCells } from './fields.ts';
import { gapOf, orderList, ownId } from './order-list.ts';
import { formatOrder } from './order-view.ts';
import { outcomeText } from './outcomes.ts';
import {
  createJsonList,
  createStyle,
  formatJson,
  formatJsonLine,
  type Print,
  printJsonLines,
} from './print.ts';
import {
  formatRecord,
  formatTable,
  importCounts,
  maxValueLength,
  type TableColumn,
  type TableLook,
} from './table.ts';
import { formatAge, formatLocalTime } from './times.ts';
import { wrapAroundCommands } from './wrapped-text.ts';

/** `text`: an order as a terminal shows it, anywhere. */
export type Format = 'table' | 'text' | 'json' | 'ndjson' | 'csv' | 'tsv';

interface ListPage {
  page: number | null;
  pageSize: number | null;
  total: number | null;
  nextPage: number | null;
}

export interface Cancellation {
  /** The current order, or `{ reference }` if it was not found. */
  order: JsonObject;
  outcome:
    | 'cancelled'
    | 'already_cancelled'
    | 'cancel_pending'
    | 'refused'
    | 'not_found'
    | 'unknown'
    | 'not_sent';
  status?: string;
  code?: string;
  message?: Text;
}

/** `end` must be called once. */
export interface OrderRows {
  page(orders: JsonObject[]): void;
  end(page: ListPage): void;
}

interface ListedOrders {
  /** Where orders show what the interface does not name. */
  fieldPaths: FieldPaths;
  /** Its columns, in the place of the default ones; all orders come at once. */
  paper: Paper | undefined;
}

/** The columns of a list for one group of people. */
export interface Paper {
  /** The columns of a packing list or of a courier’s list. */
  name: 'packing' | 'courier';
  columns: readonly (TableColumn & { field: string })[];
  /** The texts of each column, such as one for each line of the order. */
  texts(order: JsonObject): string[][];
  /** One text for each column; the amount as a number. */
  cells(order: JsonObject): string[];
  /** A table where it fits, or else a card for each order. */
  format(orders: readonly JsonObject[], look: TableLook): string;
}

/** One request of a dry run, without the API key. */
interface RequestPreview {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Json;
}

export interface PastImport extends JsonObject {
  run: string;
  file: string;
  /** The origin of the service, or the identity of a sandbox; null when it was not recorded. */
  service: string | null;
  sandbox: boolean;
  startedAt: string;
  endedAt: string | null;
  ended: string;
  exitCode: number | null;
  orders: Record<string, number | null>;
}

interface ImportLook {
  now: number;
  /** How each import ended, for a person. */
  endings: readonly Text[];
}

/** What a command did to the order that it shows; JSON has it as `_outcome`, which is never sent. */
type CommandOutcome = 'created' | 'already_exists' | 'cancelled' | 'already_cancelled' | 'cancel_pending';

interface StatusCount extends JsonObject {
  status: string;
  delivery: string;
  orders: number;
  /** Null if the service does not show it of all of them. */
  toCollect: string | null;
}

/** Every format has the same methods, so that no command branches on it. Times are epoch milliseconds. */
export interface Reporter {
  /** Without `now`, times are shown in full. */
  order(order: JsonObject, now: number | undefined, outcome?: CommandOutcome): void;
  /** Each shown whole, where `orders` shows a list. */
  severalOrders(orders: JsonObject[], now: number | undefined): void;
  orders(now: number, shown?: ListedOrders): OrderRows;
  cancellations(results: Cancellation[]): void;
  requests(requests: RequestPreview[]): void;
  /** Whether `outcome` writes anything. */
  showsOutcomes: boolean;
  /** One order of an import, as soon as its outcome is known. */
  outcome(outcome: JsonObject): void;
  /** The summary of an import, or in a table its counts. */
  imported(summary: JsonObject & { orders: Record<string, number> }): void;
  /** What became of the orders of a file, or in a table their counts by status. */
  status(summary: JsonObject & { byStatus: StatusCount[] }): void;
  imports(imports: PastImport[], look: ImportLook): void;
  /** Whether a past import is shown as its results file, which is CSV, rather than by `facts`. */
  showsResults: boolean;
  /** `forPeople`: each fact as a person reads it. */
  facts(facts: JsonObject, forPeople?: readonly (readonly [name: Text, text: Text])[]): void;
  /** Facts of a command that keeps running: JSON on one line, so that a reader sees where it ends. */
  started(facts: JsonObject): void;
  /** `name` is the key in JSON; `columns` are the default ones. */
  records(name: string, records: JsonObject[], columns: string[], forPeople?: PeopleTable): void;
}

/** The default columns, as a person reads them in a table; the text of the last one is wrapped. */
interface PeopleTable {
  heads: readonly Text[];
  rows: readonly (readonly Text[])[];
}

interface ReporterOptions {
  format: Format;
  print: Print;
  /** For a person; English by default. */
  say?: Say;
  /** Dotted paths; undefined for the default columns. */
  columns?: string[] | undefined;
  header: boolean;
  terminal: { isTerminal: boolean; width: number; colour: boolean };
}

export function createReporter(options: ReporterOptions): Reporter {
  const { format, print, terminal } = options;
  if (format === 'json') return createJsonReporter(print);
  if (format === 'ndjson') return createNdjsonReporter(print);
  if (format === 'csv') return createCsvReporter(options);
  if (format === 'text') return createTextReporter(options);
  if (format === 'tsv' || !terminal.isTerminal) return createTsvReporter(options);
  return createTableReporter(options);
}

/** For printing and messages: no colours, lines of any length, and times that stay right tomorrow. */
function createTextReporter(options: ReporterOptions): Reporter {
  const report = createTableReporter({
    ...options,
    terminal: { isTerminal: false, width: Number.POSITIVE_INFINITY, colour: false },
  });
  return {
    ...report,
    order: (order) => report.order(order, undefined),
    severalOrders: (orders) => report.severalOrders(orders, undefined),
  };
}

function createTableReporter({
  print,
  say = sayInEnglish,
  columns,
  header,
  terminal,
}: ReporterOptions): Reporter {
  const look = { width: terminal.width, header, style: createStyle(terminal.colour) };
  const showTable = (names: readonly (string | TableColumn)[], rows: string[][]) => {
    if (rows.length > 0) print.data(formatTable(names, rows, look).text);
  };
  const showFields = (fields: Field[]) => print.data(formatRecord(fields, look.style));
  const showRecord = (record: JsonObject) => showFields(chosenFields(record, columns));

  const showOrders = (orders: readonly JsonObject[], now: number | undefined) => {
    const fields = orders.map((order) => chosenFields(order, columns));
    const cards = orders.map((order, index) => {
      if (columns === undefined)
        return formatOrder(order, 'whole', { ...look, say, now, maxLength: maxValueLength });
      const shown = fields[index]?.map(({ path, text }) => ({ path, text: formatLocalTime(text) }));
      return formatRecord(shown ?? [], look.style);
    });
    if (cards.length > 0) print.data(cards.join('\n\n'));
    noteCut(
      print,
      fields.flat().map(({ text }) => text),
    );
  };

  return {
    order: (order, now) => showOrders([order], now),
    severalOrders: showOrders,
    orders: (now, { fieldPaths, paper } = listed) => {
      let widths: number[] | undefined;
      let chosen: string[] | undefined;
      return {
        page: (orders) => {
          if (orders.length === 0) return;
          if (paper !== undefined) {
            print.data(paper.format(orders, look));
            noteCut(print, orders.flatMap(paper.texts).flat());
            return;
          }
          chosen ??= chosenColumns(columns, orders);
          const [shown, rows] = chosen
            ? localTable(orders, chosen, fieldPaths)
            : orderList(orders, { width: look.width, now, say });
          const gap = chosen === undefined ? gapOf(look) : 2;
          const { text, contentWidths } = formatTable(shown, rows, { ...look, gap }, widths);
          print.data(text);
          widths = contentWidths;
        },
        end: () => {},
      };
    },
    cancellations: (results) => {
      if (columns !== undefined) {
        showTable(...cancellationTable(results, columns));
        return;
      }
      const [, rows] = cancellationTable(results, outcomeColumns);
      const readable = rows.map(([number = '', own = '', , status = ''], index) => {
        const { outcome } = results[index] ?? {};
        return [number, own, outcome === undefined ? '' : say(outcomeText(outcome)), status];
      });
      if (results.length <= maxCancellations) showTable(outcomeHeads(say), readable);
      const failed = results.filter(({ outcome }) => !['cancelled', 'already_cancelled'].includes(outcome));
      if (failed.length > 0) print.data(failed.map((one) => formatFailure(one, look.width, say)).join('\n'));
    },
    requests: (requests) => print.data(formatRequests(requests)),
    showsOutcomes: false,
    outcome: () => {},
    imported: ({ orders }) => {
      const rows = countRows(orders).map(([outcome = '', count = '']) => {
        return [say(outcome === 'total' ? t`all` : outcomeText(outcome)), count];
      });
      showTable([say(t`outcome`), { name: say(t`orders`), isAmount: true }], rows);
    },
    status: ({ byStatus }) => {
      const amount = { isAmount: true };
      const heads = [
        say(t`status`),
        say(t`delivery`),
        { name: say(t`orders`), ...amount },
        { name: say(t`to collect`), ...amount },
      ];
      const rows = byStatus.map(({ status, delivery, orders, toCollect }) => {
        return [status, delivery, String(orders), toCollect === null ? '' : formatAmount(toCollect)];
      });
      showTable(heads, rows);
    },
    imports: (imports, look) => showTable(...importTableForPeople(imports, look, { columns, say })),
    showsResults: false,
    facts: (facts, forPeople) => {
      if (forPeople === undefined || columns !== undefined) showRecord(facts);
      else showFields(forPeople.map(([name, text]) => ({ path: say(name), text: say(text) })));
    },
    started: showRecord,
    records: (_, records, names, forPeople) => {
      if (forPeople !== undefined && columns === undefined) {
        const last = forPeople.heads.length - 1;
        const heads = forPeople.heads.map((head, index) => ({ name: say(head), isWrapped: index === last }));
        showTable(
          heads,
          forPeople.rows.map((row) => row.map(say)),
        );
        return;
      }
      const [shown, rows] = recordTable(records, columns ?? names);
      showTable(
        shown.map((name) => (sentenceColumns.has(name) ? { name, isWrapped: true } : name)),
        rows,
      );
    },
  };
}

const sentenceColumns = new Set(['message', 'description']);

export function noteCut({ note }: Pick<Print, 'note'>, texts: readonly string[]): void {
  if (texts.some((text) => cleanCell(text).length > maxValueLength))
    note(t`Values of more than 1,000 characters are cut here; get with --json shows them whole.`);
}

/** With more orders, a terminal shows only those that were not cancelled. */
const maxCancellations = 20;
const outcomeHeads = (say: Say) => [
  { name: say(t`number`), isIdentifier: true },
  { ...ownId, name: say(t`own id`) },
  say(t`outcome`),
  say(t`status`),
];
/** The reason why an order was not cancelled is written below the table, in full. */
const outcomeColumns = ['orderNumber', 'externalOrderId', 'outcome', 'status'];

/** `ORD-2026-000123 (UB-1): It was delivered. (ORDER_NOT_CANCELLABLE)` */
function formatFailure(cancellation: Cancellation, width: number, say: Say): string {
  const { code, message, outcome } = cancellation;
  const [number = '', own = ''] = pickCells(cancellationRecord(cancellation), outcomeColumns).map(cleanCell);
  const name = number === '' ? own : own === '' ? number : `${number} (${own})`;
  const why = cleanCell(say(message ?? outcomeText(outcome)));
  const named = nameInMessage(cancellation);
  const isNamed = named !== undefined && [number, own].includes(cleanCell(named));
  const text = isNamed ? why : `${name}: ${why}`;
  const isOfService = code !== undefined && !isErrorCode(code);
  const line = isOfService ? `${text} (${cleanCell(code)})` : text;
  const lines = wrapAroundCommands([{ text: line, isCommand: false }], width - 2);
  return lines.join('\n  ');
}

/** The name by which the message of such an outcome calls the order. */
function nameInMessage({ order, outcome }: Cancellation): string | undefined {
  if (outcome === 'not_found') return textField(order, 'reference');
  const isInMessage = outcome === 'unknown' || outcome === 'cancel_pending';
  return isInMessage ? textField(order, 'orderNumber') : undefined;
}

function createCsvReporter(options: ReporterOptions): Reporter {
  // Cleaned first: removing a character later could leave a formula at the start of a cell.
  const report = createDelimitedReporter(options, (cells) =>
    formatCsvRow(cells.map((cell) => escapeFormula(cleanData(cell)))),
  );
  return { ...report, showsResults: true };
}

/** Also used for tables when stdout is not a terminal. */
function createTsvReporter(options: ReporterOptions): Reporter {
  return createDelimitedReporter(options, (cells) => cells.map(cleanDataCell).join('\t'));
}

function createDelimitedReporter(
  { print, columns, header }: ReporterOptions,
  formatRow: (cells: string[]) => string,
): Reporter {
  const show = (rows: string[][]) => print.lines(rows.map(formatRow));
  const showTable = (names: string[], rows: string[][]) => show(header ? [names, ...rows] : rows);
  const showRecord = (record: JsonObject) => {
    const fields = chosenFields(record, columns);
    showTable(
      fields.map(({ path }) => path),
      [fields.map(({ text }) => text)],
    );
  };

  return {
    order: showRecord,
    severalOrders: (orders) => {
      if (orders.length > 0) showTable(...recordTable(orders, columns ?? ['all']));
    },
    orders: (_, { fieldPaths, paper } = listed) => {
      let chosen: string[] | undefined;
      let isHeaderDue = header;
      const choose = (orders: JsonObject[]) => {
        chosen ??= paper
          ? paper.columns.map(({ field }) => field)
          : (chosenColumns(columns, orders) ?? ['id', ...orderColumns]);
        if (isHeaderDue) show([chosen]);
        isHeaderDue = false;
        return chosen;
      };
      return {
        page: (orders) => {
          const shown = choose(orders);
          show(orders.map((order) => (paper ? paper.cells(order) : pickCells(order, shown, fieldPaths))));
        },
        end: () => void choose([]),
      };
    },
    cancellations: (results) => showTable(...cancellationTable(results, columns)),
    requests: (requests) => print.data(formatRequests(requests)),
    showsOutcomes: false,
    outcome: () => {},
    imported: ({ orders }) => showTable(countColumns, countRows(orders)),
    status: ({ byStatus }) => showTable(...recordTable(byStatus, statusColumns)),
    imports: (imports) => showTable(...importTable(imports, columns)),
    showsResults: false,
    facts: showRecord,
    started: showRecord,
    records: (_, records, names) => showTable(...recordTable(records, columns ?? names)),
  };
}

const listed: ListedOrders = { fieldPaths: defaultPaths, paper: undefined };

type Rows = [names: string[], rows: string[][]];

const orderColumns = [
  'orderNumber',
  'externalOrderId',
  'status',
  'customer.phone',
  'total',
  'collectionAmount',
  'requestedDeliveryDate',
];

const statusColumns = ['status', 'delivery', 'orders', 'toCollect'];

const cancellationColumns = [...outcomeColumns, 'code', 'message'];

function cancellationTable(results: Cancellation[], columns: string[] = cancellationColumns): Rows {
  return recordTable(results.map(cancellationRecord), columns);
}

function inEnglish({ message, ...result }: Cancellation): JsonObject {
  return { ...result, ...(message === undefined ? {} : { message: String(message) }) };
}

function cancellationRecord({ order, outcome, status, code, message }: Cancellation): JsonObject {
  return {
    ...(order.reference === undefined ? {} : { externalOrderId: order.reference }),
    ...order,
    ...(status === undefined ? {} : { status }),
    outcome,
    code: code ?? null,
    message: message === undefined ? null : String(message),
  };
}

function recordTable(records: JsonObject[], names: string[]): Rows {
  const columns = chosenColumns(names, records) ?? names;
  return [columns, records.map((record) => pickCells(record, columns))];
}

function localTable(records: JsonObject[], columns: string[], fieldPaths: FieldPaths): Rows {
  return [columns, records.map((record) => pickCells(record, columns, fieldPaths).map(formatLocalTime))];
}

const columnsWith = (counts: string[]) => [
  'run',
  'startedAt',
  'file',
  'service',
  'total',
  ...counts,
  'ended',
];

function importTable(imports: PastImport[], columns = columnsWith(importCounts)): Rows {
  return [columns, imports.map((past) => pickCells(flattenImport(past), columns))];
}

const importHeads: Readonly<Record<string, Text>> = {
  run: t`run`,
  startedAt: t`started`,
  file: t`file`,
  service: t`service`,
  total: t`all`,
  to_fix: t`to fix`,
  ended: t`ended`,
};

/** For a person at a terminal: ages instead of times, SANDBOX for any sandbox, no column of zeros or of one live service. */
function importTableForPeople(
  imports: PastImport[],
  { now, endings }: ImportLook,
  { columns, say }: { columns: string[] | undefined; say: Say },
): [heads: (string | TableColumn)[], rows: string[][]] {
  const occurred = importCounts.filter((name) => imports.some((past) => flattenImport(past)[name] !== 0));
  const readable = imports.map((past, index) => ({
    ...past,
    startedAt: say(formatAge(Date.parse(past.startedAt), now)),
    service: past.sandbox ? 'SANDBOX' : past.service,
    ended: say(endings[index] ?? past.ended),
  }));
  const isOfOne = imports.every(({ sandbox, service }) => !sandbox && service === imports[0]?.service);
  const shown = columnsWith(occurred).filter((name) => name !== 'service' || !isOfOne);
  const [names, rows] = importTable(readable, columns ?? shown);
  const toHead = (name: string): TableColumn => ({
    name: say(importHeads[name] ?? outcomeText(name)),
    isAmount: name === 'total' || importCounts.includes(name),
    isIdentifier: name === 'run',
    keepsEnd: name === 'file',
  });
  return [columns === undefined ? names.map(toHead) : names, rows];
}

function flattenImport(past: PastImport): JsonObject {
  const { rejected, invalid, conflict } = past.orders;
  const toFix = (rejected ?? 0) + (invalid ?? 0) + (conflict ?? 0);
  return { ...past.orders, to_fix: toFix, ...past };
}

const countColumns = ['outcome', 'orders'];

function countRows({ total = 0, ...counts }: Record<string, number>): string[][] {
  const occurred = Object.entries(counts).filter(([, count]) => count > 0);
  return [...occurred, ['total', total] as const].map(([outcome, count]) => [outcome, String(count)]);
}

function chosenFields(record: JsonObject, columns: string[] | undefined): Field[] {
  if (!columns || columns.includes('all')) return flattenFields(record);
  return pickCells(record, columns).map((text, index) => ({ path: columns[index] ?? '', text }));
}

function formatRequests(requests: RequestPreview[]): string {
  return requests.map(formatRequest).join('\n\n');
}

function formatRequest({ method, url, headers, body }: RequestPreview): string {
  const lines = Object.entries(headers).map(([name, value]) => `${cleanCell(name)}: ${cleanCell(value)}`);
  return [`${cleanCell(method)} ${cleanCell(url)}`, ...lines, '', formatJson(body)].join('\n');
}

function withOutcome(order: JsonObject, outcome: CommandOutcome | undefined): JsonObject {
  return outcome === undefined ? order : { ...order, _outcome: outcome };
}

function createJsonReporter(print: Print): Reporter {
  const show = (value: Json) => print.data(formatJson(value));
  return {
    order: (order, _, outcome) => show(withOutcome(order, outcome)),
    severalOrders: (orders) => show({ orders }),
    orders: () => {
      const list = createJsonList(print, 'orders');
      return {
        page: list.add,
        end: ({ page, pageSize, total, nextPage }) => list.end({ page, pageSize, total, nextPage }),
      };
    },
    cancellations: (results) => show({ orders: results.map(inEnglish) }),
    requests: (requests) => {
      const all = requests.map((request) => ({ ...request }));
      show(all.length === 1 && all[0] ? all[0] : all);
    },
    showsOutcomes: false,
    outcome: () => {},
    imported: show,
    status: show,
    imports: (imports) => show({ imports }),
    showsResults: false,
    facts: show,
    started: (facts) => print.data(formatJsonLine(facts)),
    records: (name, records) => show({ [name]: records }),
  };
}

function createNdjsonReporter(print: Print): Reporter {
  const show = (value: JsonObject) => print.data(formatJsonLine(value));
  const showAll = (values: readonly JsonObject[]) => printJsonLines(print, values);
  return {
    order: (order, _, outcome) => show(withOutcome(order, outcome)),
    severalOrders: showAll,
    orders: () => ({ page: showAll, end: () => {} }),
    cancellations: (results) => showAll(results.map(inEnglish)),
    requests: (requests) => showAll(requests.map((request) => ({ ...request }))),
    showsOutcomes: true,
    outcome: show,
    imported: show,
    status: show,
    imports: showAll,
    showsResults: false,
    facts: show,
    started: show,
    records: (_, records) => showAll(records),
  };
}
