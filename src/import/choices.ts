import { type Sentence, type Text, t } from '../advice/advice.ts';
import type { Assignment } from '../orders/assignment.ts';

// What the flags of an import may say. The help shows it, so this file loads nothing that reads files.

/** In the order of the help. */
export const presetNames = [
  'shopify',
  'woocommerce',
  'woocommerce-webtoffee',
  'woocommerce-skyverge',
  'woocommerce-report',
  'squarespace',
  'wix',
  'tiendanube',
  'nuvemshop',
  'bigcommerce',
  'amazon',
  'ebay',
  'odoo',
  'magento',
  'prestashop',
  'etsy',
  'opencart',
] as const;
export type PresetName = (typeof presetNames)[number];

export const leftOutReasons = [
  'cancelled',
  'voided',
  'expired',
  'refunded',
  'returned',
  'test',
  'draft',
  'fulfilled',
  'completed',
  'needs_no_shipping',
  'pickup',
  'unpaid',
  'rule',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** Also orders of which a mark in the file may say that they are not to be delivered. */
type LeftOutKind = LeftOutReason | 'marked';

const texts: Record<LeftOutKind, (count: number) => Sentence> = {
  cancelled: (count) => t`${count} cancelled`,
  voided: (count) => t`${count} voided`,
  expired: (count) => t`${count} expired`,
  refunded: (count) => t`${count} refunded`,
  returned: (count) => t`${count} returned`,
  test: (count) => t`${count} test`,
  draft: (count) => t`${count} draft`,
  fulfilled: (count) => t`${count} fulfilled`,
  completed: (count) => t`${count} completed`,
  needs_no_shipping: (count) => t`${count} needs no shipping`,
  pickup: (count) => t`${count} pickup`,
  unpaid: (count) => t`${count} unpaid`,
  rule: (count) => t`${count} by your answers`,
  marked: (count) => t`${count} marked`,
};

/** `8 fulfilled`, `4 cancelled`: the most frequent first. */
export function listLeftOut(counts: Readonly<Partial<Record<LeftOutKind, number>>>): Text[] {
  return (Object.entries(counts) as [LeftOutKind, number][])
    .sort(([, left], [, right]) => right - left)
    .map(([kind, count]) => texts[kind](count));
}

export const unpaidChoices = ['collect', 'prepaid', 'leave-out'] as const;
type UnpaidChoice = (typeof unpaidChoices)[number];

export const hiddenRowsChoices = ['send', 'leave-out'] as const;
export type HiddenRowsChoice = (typeof hiddenRowsChoices)[number];

export const decimalMarks = ['dot', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** What the cells of a column become; `:number` after its field says so. */
export const cellTypes = ['text', 'number', 'boolean', 'json'] as const;
export type CellType = (typeof cellTypes)[number];

/** `14,20-31` → whether a row is listed; undefined when the text is not such a list. */
export function parseRowList(text: string): ((row: number) => boolean) | undefined {
  const ranges = text.split(',').map((part) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim()));
  if (ranges.some((range) => range === null)) return undefined;
  const bounds = ranges.map((range) => [Number(range?.[1]), Number(range?.[2] ?? range?.[1])] as const);
  return (row) => bounds.some(([first, last]) => row >= first && row <= last);
}

export interface Shard {
  number: number;
  count: number;
}

const maxShards = 1024;

/** `2/4` → a shard, or undefined when the text is not a valid one. */
export function parseShard(text: string): Shard | undefined {
  const [, number, count] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number === undefined || count === undefined) return undefined;
  return number >= 1 && number <= count && count <= maxShards ? { number, count } : undefined;
}

/** `--map-column 'Header=path'`. */
export interface MappedFlag {
  header: string;
  path: string;
}

/** `--leave-out 'Header=value'`. */
export interface LeaveOutFlag {
  header: string;
  value: string;
}

export interface PlanFlags {
  set?: readonly Assignment[] | undefined;
  mapColumn?: readonly MappedFlag[] | undefined;
  /** Where the quantity stands in a line, or what separates the lines of a cell. */
  preset?: PresetName | 'none' | undefined;
  ignoreColumn?: readonly string[] | undefined;
  /** Columns without a use are not read. */
  ignoreRest?: boolean | undefined;
  /** IDs of orders that are right without an address. */
  allowWithoutAddress?: readonly string[] | undefined;
  /** Put before each order ID; `none` when the IDs are the shop's own although they count. */
  idPrefix?: string | undefined;
  leaveOut?: readonly LeaveOutFlag[] | undefined;
  /** Orders are not left out for these reasons. */
  include?: readonly LeftOutReason[] | undefined;
  unpaid?: UnpaidChoice | undefined;
  decimal?: DecimalMark | undefined;
  dateOrder?: DateOrder | undefined;
  /** The file is not cut off, whatever its last row looks like. */
  endsHere?: boolean | undefined;
  /** Selects rows by the number that a spreadsheet shows; an order with a selected row is selected whole. */
  rows?: ((row: number) => boolean) | undefined;
  /** How many orders at most; those of other shards are not counted. */
  limit?: number | undefined;
  shard?: Shard | undefined;
  /** False keeps only the rules that no flag lifts: for IDs, and that money and dates are text. */
  checks: boolean;
}

export interface ErrorLimit {
  max: number;
  unit: 'orders' | 'percent';
}

/** `50` or `5%` → a limit; undefined for other text. */
export function parseErrorLimit(text: string): ErrorLimit | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  if (digits === undefined || (percent === '%' && Number(digits) > 100)) return undefined;
  return { max: Number(digits), unit: percent === '%' ? 'percent' : 'orders' };
}
