import { type FieldPath, FieldPathError, formatFieldPath, parseFieldPath } from '../../orders/field-path.ts';
import { type CellRule, type CellType, cellTypes } from './column.ts';
import { knownPath } from './known-paths.ts';

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
