import { type Candidate, parseTarget } from './candidate.ts';
import { type Condition, createCondition, type Header, type NotDeliverableRule } from './column.ts';

export interface Preset {
  name: string;
  /** Field, with its type unless it is text → the columns that may hold it; the first one with text is read. */
  columns: Record<string, PresetField>;
  /** The lines of an order may be side by side, each in columns of its own. */
  mayBeWide: boolean;
  /** The columns that may hold the shipping method, and whether a method means that nothing is delivered. */
  shippingMethod: readonly string[];
  isPickup(shippingMethod: string): boolean;
  /** The columns that mark an order as cancelled in the shop, and the values that do. */
  cancelled: { columns: readonly string[]; when: string | readonly string[] };
  currency: readonly string[];
}

/** Alternative names of one column, or of several columns that are joined. */
type PresetField = readonly string[] | { join: string; of: readonly (readonly string[])[] };

/** The columns of a preset that the file has and no explicit mapping has taken. */
export function candidatesByPreset(
  header: Header,
  { columns, mayBeWide }: Preset,
  isFree: (index: number) => boolean,
): Candidate[] {
  const find = (names: readonly string[]) =>
    names.flatMap((name) => header.indexOf(name) ?? []).filter((index) => isFree(index));
  const candidates = Object.entries(columns).flatMap(([target, field]): Candidate[] => {
    const parts = 'of' in field ? field.of.map((names) => find(names).slice(0, 1)) : [find(field)];
    const [first, ...others] = parts.flat();
    if (first === undefined) return [];
    const candidate: Candidate = { ...parseTarget(target), indexes: [first, ...others], source: 'preset' };
    if ('of' in field) candidate.rule = { join: field.join };
    return [candidate];
  });
  const hasLines = candidates.some(({ path }) => path.includes(null));
  return hasLines || !mayBeWide ? candidates : [...candidates, ...candidatesOfWideLines(header, isFree)];
}

/** Fields of a line, by the names that plugins of WooCommerce give them. */
const lineFields: Record<string, string> = {
  name: 'name',
  sku: 'sku',
  quantity: 'quantity:number',
  qty: 'quantity:number',
  price: 'unitPrice',
  cost: 'unitPrice',
};
const names = Object.keys(lineFields).join('|');
/** Headers of exports with a column for each field of each line. */
const wideHeaders = [
  new RegExp(`^line_?item_(?<line>\\d{1,3})_(?<field>${names})$`, 'i'),
  new RegExp(`^product item (?<line>\\d{1,3}) (?<field>${names})$`, 'i'),
  new RegExp(`^(?:(?:item|product) )?(?<field>${names}) ?#(?<line>\\d{1,3})$`, 'i'),
];
/** Headers of exports with a column for each line, whose cells are such as `name:Tea|sku:TEA-001|quantity:2`. */
const packedHeader = /^line_?item_(?<line>\d{1,3})$/i;
const packedFields = ['name', 'sku', 'quantity'];

/** The columns of exports that have one row per order, with its lines side by side. */
function candidatesOfWideLines(header: Header, isFree: (index: number) => boolean): Candidate[] {
  return header.cells.flatMap((name, index): Candidate[] => {
    if (!isFree(index)) return [];
    const packed = packedHeader.exec(name)?.groups;
    if (packed !== undefined) {
      return packedFields.map((part) => ({ ...lineCandidate(index, packed.line, part), rule: { part } }));
    }
    const { line, field = '' } =
      wideHeaders.map((shape) => shape.exec(name)?.groups).find((found) => found !== undefined) ?? {};
    return line === undefined ? [] : [lineCandidate(index, line, field.toLowerCase())];
  });
}

function lineCandidate(index: number, line: string | undefined, field: string): Candidate {
  const target = parseTarget(`items[${Number(line) - 1}].${lineFields[field]}`);
  return { ...target, indexes: [index], source: 'preset' };
}

export function notDeliverableByPreset(
  { shippingMethod, isPickup, cancelled }: Preset,
  header: Header,
): NotDeliverableRule[] {
  const ruleFor = (
    name: string,
    reason: NotDeliverableRule['reason'],
    matches: Condition['matches'],
  ): NotDeliverableRule[] => {
    const index = header.indexOf(name);
    if (index === undefined) return [];
    return [{ reason, conditions: [{ index, header: header.cells[index] ?? '', matches }] }];
  };
  const { matches: isCancelled } = createCondition(0, '', cancelled.when);
  return [
    ...shippingMethod.flatMap((name) => ruleFor(name, 'pickup', isPickup)),
    ...cancelled.columns.flatMap((name) => ruleFor(name, 'cancelled', isCancelled)),
  ];
}

/** Whether the header has the order ID column and at least four other columns of the preset. */
export function looksLikeExportOf({ columns }: Preset, header: Header): boolean {
  const { externalOrderId: ids, ...others } = columns;
  const has = (names: readonly string[]) => names.some((name) => header.indexOf(name) !== undefined);
  const found = Object.values(others).filter((field) => ('of' in field ? field.of.some(has) : has(field)));
  return ids !== undefined && !('of' in ids) && has(ids) && found.length >= 4;
}
