import { type FieldPath, FieldPathError, formatFieldPath, parseFieldPath } from '../../orders/field-path.ts';
import { damageOf } from '../cells/cell-damage.ts';
import type { Problem } from '../problem.ts';
import { type PresetField, type PresetName, presets } from '../shops/preset.ts';
import { pathOfAlias } from './aliases.ts';
import { type CellRule, type CellType, cellTypes } from './column.ts';
import { type Header, problemAt } from './header.ts';
import { knownPath, knownPaths, nearMiss } from './known-paths.ts';

/** Claims, and what is wrong with those who make them. */
export interface Claims {
  claims: Claim[];
  problems: Problem[];
}

/** A column whose name is a field: `customer.phone`, `items[].quantity:number`, any dotted name. */
export function claimByPath(header: Header, index: number): Claims {
  const name = header.cells[index] ?? '';
  const { name: text, hasType } = splitType(name);
  const known = knownPath(text);
  const isPath = known !== undefined || hasType || (/[.[\]]/.test(text) && !isProse(text));
  const alias = isPath ? undefined : pathOfAlias(text);
  const near = known === undefined && alias === undefined ? nearMiss(text, isPath) : undefined;
  if (near !== undefined) {
    const fix = `did you mean ${near}? rename the column`;
    return wrong(problemAt(header, index, 'header_near_miss', 'is not a field of an order', fix));
  }
  const target = isPath ? name : alias;
  if (target === undefined) return { claims: [], problems: damaged(header, index) };
  try {
    const authority = isPath ? 'path' : 'alias';
    return { claims: [{ ...readTarget(target), indexes: [index], authority }], problems: [] };
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const fix = 'rename the column, or take it out';
    return wrong(problemAt(header, index, 'header_invalid', error.message, fix));
  }
}

/** A dot or a bracket of a name that people read: `Address No. 1`, `Qty.`, `Price (v1.0)`, `Total [MNT]`. */
function isProse(name: string): boolean {
  const outside = name.replace(/\([^)]*\)/g, '');
  return !/[.[\]]/.test(outside) || /[.\]]\s|\s[.[]|:\/\//.test(outside) || isAbbreviation(outside);
}

/** `Qty.` and the like; `customer.` is a field that was not finished. */
function isAbbreviation(name: string): boolean {
  const isFieldBegun = knownPaths.some((path) => path.startsWith(name));
  return /^[^.[\]]+\.$/.test(name) && !isFieldBegun;
}

/** A name whose letters are gone may be that of any field, and would go nowhere in silence. */
function damaged(header: Header, index: number): Problem[] {
  const damage = damageOf(header.cells[index] ?? '');
  if (damage?.code !== 'text_damaged') return [];
  const { code, problem, fix } = damage;
  return [problemAt(header, index, code, problem, fix)];
}

/** What the export of a shop system is known to hold; columns that are not there claim nothing. */
export function claimByPreset(
  header: Header,
  preset: PresetName,
  isFree: (index: number) => boolean,
): Claim[] {
  const find = (names: readonly string[]) =>
    names.flatMap((name) => header.indexOf(name) ?? []).filter((index) => isFree(index));
  const claims = Object.entries(presets[preset].columns).flatMap(([target, field]: [string, PresetField]) => {
    const parts = 'of' in field ? field.of.map((names) => find(names).slice(0, 1)) : [find(field)];
    const [first, ...others] = parts.flat();
    if (first === undefined) return [];
    const rule = 'of' in field ? { rule: { join: field.join } } : {};
    return [
      { ...readTarget(target), indexes: [first, ...others] as const, ...rule, authority: 'preset' as const },
    ];
  });
  const hasLines = claims.some(({ path }) => path.includes(null));
  return hasLines || !presets[preset].mayBeWide ? claims : [...claims, ...claimWideLines(header, isFree)];
}

function wrong(problem: Problem): Claims {
  return { claims: [], problems: [problem] };
}

/** Somebody says that a column holds a field; of several who say so of one field, the highest authority counts. */
export interface Claim {
  path: FieldPath;
  type: CellType;
  isExtra: boolean;
  /** The column, and those that are read after it. */
  indexes: readonly [number, ...number[]];
  rule?: Omit<CellRule, 'others'>;
  authority: Authority;
}

/** From the highest to the lowest. */
export const authorities = ['flag', 'file', 'path', 'preset', 'alias'] as const;
export type Authority = (typeof authorities)[number];

const typeSuffix = new RegExp(`:(${cellTypes.join('|')})$`);
const unknownSuffix = /\.[^.:]*:([a-z]+)$/i;

/** A field as headers, flags and mapping files write it: `items[].quantity:number`. */
export function splitType(text: string): { name: string; type: CellType; hasType: boolean } {
  const type = typeSuffix.exec(text)?.[1];
  const name = text.replace(typeSuffix, '').trim();
  return { name, type: (type ?? 'text') as CellType, hasType: type !== undefined };
}

/**
 * The field that a text names.
 * @throws FieldPathError
 */
export function readTarget(text: string): Pick<Claim, 'path' | 'type' | 'isExtra'> {
  const { name, type } = splitType(text);
  const [, suffix] = unknownSuffix.exec(name) ?? [];
  if (suffix !== undefined) {
    throw new FieldPathError(`":${suffix}" is no type; there are :${cellTypes.join(', :')}`);
  }
  const known = knownPath(name);
  return { path: parseFieldPath(known ?? name), type, isExtra: known === undefined };
}

/** The claims that count: one for each field, from the highest authority that makes any. */
export function strongest(claims: readonly Claim[]): Claim[] {
  const best = new Map<string, Authority>();
  for (const { path, authority } of claims) {
    const key = formatFieldPath(path);
    const before = best.get(key);
    if (before === undefined || authorities.indexOf(authority) < authorities.indexOf(before)) {
      best.set(key, authority);
    }
  }
  return claims.filter(({ path, authority }) => best.get(formatFieldPath(path)) === authority);
}

/** Fields of a line by what the plugins of WooCommerce call them. */
const fields: Record<string, string> = {
  name: 'name',
  sku: 'sku',
  quantity: 'quantity:number',
  qty: 'quantity:number',
  price: 'unitPrice',
  cost: 'unitPrice',
};
const named = Object.keys(fields).join('|');
/** A column for each field of each line. */
const shapes = [
  new RegExp(`^line_?item_(?<place>\\d{1,3})_(?<field>${named})$`, 'i'),
  new RegExp(`^product item (?<place>\\d{1,3}) (?<field>${named})$`, 'i'),
  new RegExp(`^(?:(?:item|product) )?(?<field>${named}) ?#(?<place>\\d{1,3})$`, 'i'),
];
/** A column for each line, its cells such as `name:Tea|sku:TEA-001|quantity:2`. */
const packed = /^line_?item_(?<place>\d{1,3})$/i;
const packedFields = ['name', 'sku', 'quantity'];

/** The columns of exports that have one row for each order, and its lines side by side. */
export function claimWideLines(header: Header, isFree: (index: number) => boolean): Claim[] {
  return header.cells.flatMap((name, index): Claim[] => {
    if (!isFree(index)) return [];
    const whole = packed.exec(name)?.groups;
    if (whole !== undefined) {
      return packedFields.map((part) => claim(index, whole.place, part, { part }));
    }
    const { place, field = '' } =
      shapes.map((shape) => shape.exec(name)?.groups).find((found) => found !== undefined) ?? {};
    return place === undefined ? [] : [claim(index, place, field.toLowerCase())];
  });
}

function claim(index: number, place: string | undefined, field: string, rule?: Claim['rule']): Claim {
  return {
    ...readTarget(`items[${Number(place) - 1}].${fields[field]}`),
    ...{ indexes: [index], authority: 'preset' },
    ...(rule === undefined ? {} : { rule }),
  };
}
