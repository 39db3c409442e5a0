import { type FieldPath, FieldPathError, formatFieldPath, parseFieldPath } from '../../orders/field-path.ts';
import { type CellType, cellTypes } from '../choices.ts';
import { type Header, headerProblem } from '../columns/header.ts';
import { knownPath, knownPaths, nearMiss, pathOfAlias } from '../columns/known-fields.ts';
import type { Problem } from '../problem.ts';
import { findDamage } from '../text-damage.ts';
import type { CellRule } from './column.ts';

/** What may say which field a column holds, from the highest to the lowest precedence. */
export const mappingSources = ['flag', 'file', 'path', 'preset', 'alias'] as const;
type MappingSource = (typeof mappingSources)[number];

/** A column that may fill a field. Of several for one field, the source with the highest precedence wins. */
export interface Candidate {
  path: FieldPath;
  type: CellType;
  isExtra: boolean;
  /** The column, and those that are read after it. */
  indexes: readonly [number, ...number[]];
  rule?: Omit<CellRule, 'others'>;
  source: MappingSource;
}

export interface Candidates {
  candidates: Candidate[];
  problems: Problem[];
}

export function withHighestPrecedence(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, MappingSource>();
  for (const { path, source } of candidates) {
    const key = formatFieldPath(path);
    const other = best.get(key);
    if (other === undefined || mappingSources.indexOf(source) < mappingSources.indexOf(other)) {
      best.set(key, source);
    }
  }
  return candidates.filter(({ path, source }) => best.get(formatFieldPath(path)) === source);
}

const typeSuffix = new RegExp(`:(${cellTypes.join('|')})$`);
const unknownSuffix = /\.[^.:]*:([a-z]+)$/i;

/** `items[].quantity:number` → its name and type, as headers, flags and mapping files write them. */
export function splitType(text: string): { name: string; type: CellType; hasType: boolean } {
  const type = typeSuffix.exec(text)?.[1];
  const name = text.replace(typeSuffix, '').trim();
  return { name, type: (type ?? 'text') as CellType, hasType: type !== undefined };
}

/** Text such as `items[].quantity:number` → the field that it names. Error: FieldPathError. */
export function parseTarget(text: string): Pick<Candidate, 'path' | 'type' | 'isExtra'> {
  const { name, type } = splitType(text);
  const [, suffix] = unknownSuffix.exec(name) ?? [];
  if (suffix !== undefined) {
    throw new FieldPathError(`":${suffix}" is not a type; the types are :${cellTypes.join(', :')}`);
  }
  const known = knownPath(name);
  return { path: parseFieldPath(known ?? name), type, isExtra: known === undefined };
}

/** A column whose header is a field path (`customer.phone`, any dotted name) or an alias of a known field. */
export function candidateByHeader(header: Header, index: number, usesAliases: boolean): Candidates {
  const name = header.cells[index] ?? '';
  const { name: text, hasType } = splitType(name);
  const known = knownPath(text);
  const isPath = known !== undefined || hasType || (/[.[\]]/.test(text) && !isProse(text));
  const alias = isPath ? undefined : pathOfAlias(text);
  const near = known === undefined && alias === undefined ? nearMiss(text, isPath) : undefined;
  if (near !== undefined) {
    const fix = `did you mean ${near}? rename the column`;
    return invalid(
      headerProblem(header, index, { code: 'header_near_miss', problem: 'is not a field of an order', fix }),
    );
  }
  const target = isPath ? name : usesAliases ? alias : undefined;
  if (target === undefined) return { candidates: [], problems: damageProblems(header, index) };
  try {
    const source = isPath ? 'path' : 'alias';
    return { candidates: [{ ...parseTarget(target), indexes: [index], source }], problems: [] };
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    const fix = 'rename the column or remove it';
    return invalid(headerProblem(header, index, { code: 'header_invalid', problem: error.message, fix }));
  }
}

/** Whether dots and brackets are ordinary text: `Address No. 1`, `Qty.`, `Price (v1.0)`, `Total [MNT]`. */
function isProse(name: string): boolean {
  const lastClosed = name.lastIndexOf(')') + 1;
  const outside = name.slice(0, lastClosed).replace(/\([^)]*(?:\)|$)/g, '') + name.slice(lastClosed);
  return !/[.[\]]/.test(outside) || /[.\]]\s|\s[.[]|:\/\//.test(outside) || isAbbreviation(outside);
}

/** `Qty.`, `P.U.`, `Art.Nr` and `Q.tà` are abbreviations; `customer.` is an incomplete path. */
function isAbbreviation(name: string): boolean {
  const isIncompletePath = knownPaths.some((path) => path.startsWith(name));
  const isShort = /^(?:[^.[\]]+|(?:[^.[\]]{1,5}\.){1,3}[^.[\]]{1,5})\.$/.test(name);
  const isBegun = /^(?!item)(?:\p{Lu}|\P{ASCII})[^.[\]]{0,3}\.[^.[\]]+$/iu.test(name) && !/^[a-z]/.test(name);
  return (isShort || isBegun) && !isIncompletePath;
}

/** A header with damaged letters may be the name of any field, so it must not go unread. */
function damageProblems(header: Header, index: number): Problem[] {
  const damage = findDamage(header.cells[index] ?? '');
  if (damage?.code !== 'text_damaged') return [];
  return [headerProblem(header, index, damage)];
}

function invalid(problem: Problem): Candidates {
  return { candidates: [], problems: [problem] };
}
