import { FieldPathError } from '../../orders/field-path.ts';
import { damageOf } from '../damage/cell-damage.ts';
import type { Problem } from '../problem.ts';
import { pathOfAlias } from './aliases.ts';
import { type Claim, readTarget, splitType } from './claim.ts';
import { type Header, problemAt } from './header.ts';
import { knownPath, knownPaths, nearMiss } from './known-paths.ts';
import { type PresetField, type PresetName, presets } from './preset.ts';
import { claimWideLines } from './wide-lines.ts';

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
