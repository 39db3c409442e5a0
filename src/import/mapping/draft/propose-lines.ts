import type { JsonObject } from '../../../orders/json.ts';
import type { ColumnProfile } from '../guess/column-profile.ts';
import type { Header } from '../header.ts';
import { readPackedColumn, targetOfHeader } from './packed-lines.ts';
import type { LinesChoice, LinesProposal } from './proposal.ts';

/** Lines side by side (`SKU 1`, `Qty 1`, `SKU 2`, `Qty 2`) or in one cell (`TEA-1 x 2; MUG x 1`, a list in JSON). */
export function proposeLines(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
  hasQuantity: boolean,
): LinesProposal | undefined {
  const wide = hasQuantity ? undefined : wideLines(header, free);
  if (wide !== undefined) return { choices: [wide], isSettled: true };
  const columns = free.filter((index) => !free.includes(profiles[index]?.equalTo ?? -1));
  const isJson = (index: number) => (profiles[index]?.shares.json ?? 0) > 0;
  const packed = columns
    .map((index) => ({ found: readPackedColumn(header, index, profiles[index]), isJson: isJson(index) }))
    .flatMap(({ found, isJson }) => (found === undefined ? [] : [{ ...found, isJson }]))
    .filter(({ hasSeveral, isJson }) => !hasQuantity || hasSeveral || isJson);
  const [first, ...others] = packed;
  if (first === undefined) return undefined;
  if (first.isSure && others.length === 0 && (!hasQuantity || first.isJson)) {
    return { choices: first.choices, isSettled: true };
  }
  const choices = packed.flatMap(({ choices, whole, isJson }) => [
    ...choices,
    ...(hasQuantity || isJson ? [] : [whole]),
  ]);
  return { choices: choices.slice(0, maxChoices), isSettled: false };
}

const maxChoices = 5;
const quantity = 'items[].quantity:number';
const maxSamples = 2;

interface Family {
  pattern: string;
  target: string | undefined;
  byNumber: Map<string, number>;
}

/** A column for goods and one for quantities, each with the same two numbers or more. */
function wideLines(header: Header, free: readonly number[]): LinesChoice | undefined {
  const families = new Map<string, Family>();
  for (const index of free) {
    const name = header.cells[index] ?? '';
    const [, before = '', number, after = ''] = /^([^\d{}]{0,60})(\d{1,3})([^\d{}]{0,60})$/.exec(name) ?? [];
    if (number === undefined) continue;
    const pattern = `${before}{n}${after}`;
    const family = families.get(pattern) ?? {
      pattern,
      target: targetOfHeader(before + after),
      byNumber: new Map(),
    };
    if (family.byNumber.has(number)) return undefined;
    family.byNumber.set(number, index);
    families.set(pattern, family);
  }
  const all = [...families.values()].filter(
    ({ target, byNumber }) => target !== undefined && byNumber.size > 1,
  );
  const numbers = [...(all[0]?.byNumber.keys() ?? [])];
  const isAlike = ({ byNumber }: Family) =>
    byNumber.size === numbers.length && numbers.every((number) => byNumber.has(number));
  const targets = new Set(all.map(({ target }) => target));
  const isWhole = targets.has(quantity) && targets.size > 1 && targets.size === all.length;
  if (!isWhole || !all.every(isAlike)) return undefined;
  const wide: JsonObject = Object.fromEntries(all.map(({ pattern, target }) => [pattern, target ?? '']));
  const indexOf = (wanted: string, number: string) =>
    all.find(({ target }) => target === wanted)?.byNumber.get(number) ?? -1;
  const samples = (header.below ?? []).slice(0, maxSamples).map(({ cells }) =>
    numbers.flatMap((number) => {
      const goods = ['items[].sku', 'items[].name'].map((target) => cells[indexOf(target, number)] ?? '');
      const texts = goods.filter((text) => text !== '');
      return texts.length === 0 ? [] : [`${cells[indexOf(quantity, number)] ?? ''} × ${texts.join(' ')}`];
    }),
  );
  const columns = all.flatMap(({ byNumber }) => [...byNumber.values()]);
  return { lines: { wide }, columns, name: all.map(({ pattern }) => pattern).join(', '), samples };
}
