import * as z from 'zod';
import type { Assignment } from '../../orders/assignment.ts';
import { isJsonNumber } from '../../orders/json.ts';
import { cellTypes, hiddenRowsChoices, leftOutReasons } from '../choices.ts';
import { noColumn } from '../columns/header.ts';
import { type Decision, decisions } from '../words/verdict.ts';

const texts = z.union([z.string(), z.array(z.string()).min(1)]);
const search = z.strictObject({
  contains: texts.optional(),
  words: z.enum(['pickup', 'cash_on_delivery']).optional(),
  above_zero: z.literal(true).optional(),
});
const text = z.union([z.string(), z.array(z.string()).min(1), search]);
const wanted = z.union([text, z.strictObject({ not: text })]);
const conditions = z.record(z.string(), wanted);
const rule = z.union([conditions, z.array(conditions).min(1)]);
const reasons = z.partialRecord(z.enum(leftOutReasons), rule);

const column = z.union([
  z.string(),
  z
    .strictObject({
      from: texts.optional(),
      join: z.string().optional(),
      default: z.string().optional(),
      strip_prefix: z.string().optional(),
      /** Before an order ID that only counts; `none` says that it is the shop's own. */
      prefix: z.string().min(1).max(100).optional(),
      type: z.enum(cellTypes).optional(),
      when: conditions.optional(),
      else: z.string().optional(),
      values: z.record(z.string(), z.string()).optional(),
      /** Which of several texts of a cell is read; `none` says that they are to be fixed. */
      pick: z.enum(['first', 'last', noColumn]).optional(),
      /** Each row has a part of the amount, which its order is the sum of. */
      sum: z.literal(true).optional(),
      blank: texts.optional(),
      /** What was refunded, or sent already. */
      minus: z.union([texts, z.strictObject({ fulfilled: texts })]).optional(),
    })
    .refine(
      ({ from, when = {} }) => from !== undefined || Object.keys(when).length > 0,
      'it needs "from", or "when" with "default"',
    )
    .refine(
      ({ sum, when }) => sum === undefined || when === undefined,
      '"sum" adds up all rows of an order, and "when" would leave some of them out',
    ),
]);

const wideLines = z.strictObject({ wide: z.record(z.string(), z.string()) });
const packedLines = z
  .strictObject({
    /** The column; `{n}` stands for a number when there is one column for each line. */
    from: z.string(),
    between: z.string().min(1).optional(),
    form: texts.optional(),
    parts: z.string().min(1).optional(),
    json: z.literal(true).optional(),
    fields: z.record(z.string(), texts).optional(),
  })
  .refine(
    ({ form, parts, json, fields }) =>
      [form, parts, json].filter((way) => way !== undefined).length === 1 &&
      (form === undefined) === (fields !== undefined),
    'it needs "form", or "fields" with "parts" or "json"',
  );

const sums = z.strictObject({
  price: z.string().optional(),
  quantity: z.string().optional(),
  line_discount: z.string().optional(),
  subtotal: z.string().optional(),
  total: z.string().optional(),
  shipping: z.string().optional(),
  tax: z.string().optional(),
  discount: z.string().optional(),
  fees: z.string().optional(),
});

/** Several ways: the first one whose columns the file has. */
const lines = z.union([wideLines, packedLines, z.array(z.union([wideLines, packedLines])).min(1)]);

/** Several ways: the first one with text is sent. */
const addresses = z.array(z.record(z.string(), column)).min(1);

const mappingKeys = {
  columns: z.record(z.string(), column).default({}),
  address: addresses.optional(),
  lines: lines.optional(),
  constants: z.record(z.string(), z.unknown()).default({}),
  ignore: z.array(z.string()).default([]),
  /** Also where a check would refuse to leave the column unread. */
  ignore_anyway: z.array(z.string()).default([]),
  group_by: z.string().optional(),
  skip_rows_when: conditions.optional(),
  refuse_rows_when: conditions.optional(),
  summary_row_when: rule.optional(),
  leave_out: reasons.optional(),
  leave_out_lines: reasons.optional(),
  to_deliver: rule.optional(),
  partly_fulfilled: rule.optional(),
  quantities_not_final: rule.optional(),
  pickup: rule.optional(),
  paid: rule.optional(),
  partly_paid: rule.optional(),
  open: rule.optional(),
  on_delivery: rule.optional(),
  payment_method: z
    .union([z.string(), z.strictObject({ from: texts, split: z.string().min(1).optional() })])
    .optional(),
  amount_due: texts.optional(),
  amount_paid: z.array(z.string()).optional(),
  /** The total may include these deductions or not, so that it is not what is left to pay. */
  amount_unclear: rule.optional(),
  currency: texts.optional(),
  shipping_method: texts.optional(),
  sums: sums.optional(),
};

/** How the file is read, as the flags say it. */
const read = z.strictObject({
  header_row: z.preprocess(plainNumber, z.int().min(1)).optional(),
  sheet: z.string().optional(),
  encoding: z
    .string()
    .refine(isEncoding, 'it is no known encoding, such as utf-8 or windows-1251')
    .optional(),
  delimiter: z
    .string()
    .regex(/^[^"\r\n]$/, 'it needs one character')
    .optional(),
  hidden_rows: z.enum(hiddenRowsChoices).optional(),
});

/** Numbers of JSON keep their digits. */
function plainNumber(value: unknown): unknown {
  return isJsonNumber(value) ? Number(value.value) : value;
}

function isEncoding(text: string): boolean {
  try {
    return new TextDecoder(text) !== undefined;
  } catch {
    return false;
  }
}

export const shape = z.strictObject({
  ...mappingKeys,
  /** `optional`: an order may be without one although others have one. */
  address: z.union([z.literal('optional'), addresses]).optional(),
  lines: z.union([z.literal(noColumn), lines]).optional(),
  read: read.optional(),
  values: z.record(z.string(), z.record(z.string(), z.enum(decisions))).optional(),
  date_order: z.enum(['ymd', 'dmy', 'mdy']).optional(),
  unpaid: z.enum(['collect', 'prepaid', 'leave-out']).optional(),
  quote: z.literal('none').optional(),
  one_row_per_order: z.boolean().optional(),
  /** What a row that equals an earlier row of its order is: an error, or another line. */
  repeated_rows: z.enum(['refuse', 'lines']).optional(),
});

/** The file has all of these headers, at least one of `any` when there are some, and none of `none`. */
const signature = z.strictObject({
  all: z.array(z.string()).min(1),
  any: z.array(z.string()).optional(),
  none: z.array(z.string()).optional(),
});

export const presetShape = z.strictObject({
  ...mappingKeys,
  title: z.string(),
  sources: z.array(z.string()).min(1),
  /** Several are alternatives. */
  signature: z.union([signature, z.array(signature).min(1)]).optional(),
  /** Why no orders can be read from this export, and which export to use instead. */
  explains: z.string().optional(),
});

/** A mapping file (`--map`): which columns fill which fields, and what the others mean. Not looked up yet. */
export interface MappingFile extends Omit<z.infer<typeof shape>, 'constants'> {
  constants: Assignment[];
}

export type Preset = Omit<z.input<typeof presetShape>, 'constants'>;

export type MappedColumn = z.infer<typeof column>;
export type Wanted = z.infer<typeof wanted>;
export type WantedByHeader = z.infer<typeof conditions>;
export type LinesMapping = z.infer<typeof wideLines> | z.infer<typeof packedLines>;
export type DecidedValues = Readonly<Record<string, Readonly<Record<string, Decision>>>>;
export type SumsMapping = z.infer<typeof sums>;
