import { isJsonObject, type Json, type JsonObject } from '../../../orders/json.ts';
import { columnsNamed, type Header, nameOf } from '../../columns/header.ts';
import { countsEndedPieces } from '../../columns/header-roles.ts';
import type { ColumnProfile } from '../../columns/profile.ts';
import { minusTarget, quantityTarget } from '../lines.ts';
import { isCode, maxSamples, namesIn, readPackedColumn, targetOfHeader } from './packed-lines.ts';
import type { LinesChoice, LinesProposal } from './proposal.ts';

/** What is known about the lines of a file before a form of them is proposed. */
interface KnownLines {
  hasQuantity: boolean;
  /** The fields of goods that columns fill, so that only the count can be read from another one. */
  goods: readonly string[];
}

/** Lines side by side (`SKU 1`, `Qty 1`, `SKU 2`, `Qty 2`) or in one cell (`TEA-1 x 2; MUG x 1`, a list in JSON). */
export function proposeLines(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
  { hasQuantity, goods }: KnownLines,
): LinesProposal | undefined {
  if (goods.length > 0) return hasQuantity ? undefined : countsBeside(header, profiles, free, goods);
  const wide = hasQuantity ? undefined : wideLines(header, profiles, free);
  if (wide !== undefined) return wide;
  const columns = free.filter((index) => !free.includes(profiles[index]?.equalTo ?? -1));
  const isJson = (index: number) => (profiles[index]?.shares.json ?? 0) > 0;
  const packed = columns
    .map((index) => ({
      index,
      found: readPackedColumn(header, index, profiles[index]),
      isJson: isJson(index),
    }))
    .flatMap(({ index, found, isJson }) => (found === undefined ? [] : [{ ...found, index, isJson }]))
    .filter(({ hasSeveral, isJson }) => !hasQuantity || hasSeveral || isJson);
  const [first, ...others] = packed;
  if (first === undefined) return undefined;
  const isCounted =
    first.isCounted && codesBeside(header, profiles, free, first.choices[0]?.lines) !== undefined;
  if ((first.isSure || isCounted) && others.length === 0 && (!hasQuantity || first.isJson)) {
    return { choices: first.choices, isSettled: true };
  }
  const choices = packed.flatMap(({ choices, whole, isJson }) => [
    ...choices,
    ...(hasQuantity || isJson ? [] : [whole]),
  ]);
  return { choices: choices.slice(0, maxChoices), isSettled: false };
}

/** Counts in the text of one column where other columns hold the goods: `Scarf 2 pcs` beside the SKU `SAL-2`. */
function countsBeside(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
  goods: readonly string[],
): LinesProposal | undefined {
  const found = free.flatMap((index) => {
    const packed = readPackedColumn(header, index, profiles[index]);
    return packed?.isCounted ? packed.choices.slice(0, 1) : [];
  });
  const choices = found.map(({ lines, ...choice }): LinesChoice => {
    const own = (form: string) =>
      form.replace(/\{(items\[\]\.(?:sku|name))\}/, (field, path) => (goods.includes(path) ? '{*}' : field));
    const forms = [lines.form].flat().map((form) => own(String(form)));
    return { ...choice, lines: { ...lines, form: forms.length === 1 ? (forms[0] ?? '') : forms } };
  });
  return choices.length === 0 ? undefined : { choices, isSettled: choices.length === 1 };
}

/**
 * The column of codes beside one whose cells are the name of one product with its count: as many different codes as
 * names. Undefined when there is not exactly one.
 */
export function codesBeside(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
  lines: Json | undefined,
): number | undefined {
  const { from, form, between } = isJsonObject(lines ?? null) ? (lines as JsonObject) : {};
  const forms = [form ?? []].flat().map(String);
  if (typeof from !== 'string' || forms.length === 0 || between !== undefined) return undefined;
  if (forms.some((text) => text.includes('items[].sku'))) return undefined;
  const [own] = columnsNamed(header, from);
  const names = own === undefined ? undefined : namesIn(profiles[own]?.examples ?? [], { from, form: forms });
  if (names === undefined || names.size < 2) return undefined;
  const codes = free.filter((index) => {
    const { examples = [], different = 0, filled = 0, shares } = profiles[index] ?? {};
    // A code that never repeats may be that of an order.
    if (
      index === own ||
      different !== names.size ||
      filled === different ||
      (shares?.words ?? 0) < minCodeWords
    )
      return false;
    return examples.every(isCode) && profiles[own ?? -1]?.filledWith === profiles[index]?.filledWith;
  });
  return codes.length === 1 ? codes[0] : undefined;
}

/** A code has letters; without any it may be a number of anything. */
const minCodeWords = 1;

/** Of all columns that may hold lines. */
const maxChoices = 5;
/** Of columns side by side: the likeliest, and the other family or without the pieces that are taken off. */
const maxWide = 2;

/** Columns whose headers are equal but for a number. */
interface Family {
  /** With `{n}` in place of the number. */
  pattern: string;
  /** By the header. */
  target: string | undefined;
  byNumber: ReadonlyMap<string, number>;
  kind: 'count' | 'code' | 'name' | undefined;
  /** Some cell is more than 1. */
  isMany: boolean;
  different: number;
}

/** Families of columns that stand side by side: one for goods, one for quantities. */
function wideLines(
  header: Header,
  profiles: readonly ColumnProfile[],
  free: readonly number[],
): LinesProposal | undefined {
  const families = familiesIn(header, profiles, free);
  const proposals = groupsOf(families).flatMap((group) => linesOfGroup(header, profiles, group) ?? []);
  const [first, ...others] = proposals;
  if (first === undefined || others.length === 0) return first;
  const choices = proposals.flatMap((proposal) => proposal.choices);
  return { choices: choices.slice(0, maxWide), isSettled: false };
}

function familiesIn(header: Header, profiles: readonly ColumnProfile[], free: readonly number[]): Family[] {
  const found = new Map<string, { name: string; byNumber: Map<string, number>; isUnclear: boolean }>();
  for (const index of free) {
    const name = header.cells[index] ?? '';
    const [, before = '', number, after = ''] = /^([^\d{}]{0,60})(\d{1,3})([^\d{}]{0,60})$/.exec(name) ?? [];
    if (number === undefined) continue;
    const pattern = `${before}{n}${after}`;
    const family = found.get(pattern) ?? { name: before + after, byNumber: new Map(), isUnclear: false };
    if (family.byNumber.has(number)) family.isUnclear = true;
    family.byNumber.set(number, index);
    found.set(pattern, family);
  }
  return [...found]
    .filter(([, { byNumber, isUnclear }]) => byNumber.size > 1 && !isUnclear)
    .map(([pattern, { name, byNumber }]) => {
      const own = [...byNumber.values()].flatMap((index) => profiles[index] ?? []);
      return {
        pattern,
        target: targetOfHeader(name),
        byNumber,
        kind: kindOf(own.filter(({ filled }) => filled > 0)),
        isMany: own.some(({ shares, largest }) => shares.count > 0 && largest > 1),
        different: Math.max(0, ...own.map(({ different }) => different)),
      };
    });
}

function kindOf(profiles: readonly ColumnProfile[]): Family['kind'] {
  if (profiles.length === 0) return undefined;
  if (profiles.every(({ shares }) => shares.count === 1)) return 'count';
  const areCodes = profiles.every(({ shares, examples }) => shares.words === 1 && examples.every(isCode));
  if (areCodes) return 'code';
  const isOther = ({ shares }: ColumnProfile) =>
    Math.max(shares.money, shares.phone, shares.date, shares.email, shares.address, shares.place) >= 0.5;
  return profiles.every((profile) => profile.shares.words >= 0.95 && !isOther(profile)) ? 'name' : undefined;
}

/** Those with the same numbers. */
function groupsOf(families: readonly Family[]): Family[][] {
  const groups = new Map<string, Family[]>();
  for (const family of families) {
    const numbers = [...family.byNumber.keys()].sort().join();
    groups.set(numbers, [...(groups.get(numbers) ?? []), family]);
  }
  return [...groups.values()];
}

function linesOfGroup(
  header: Header,
  profiles: readonly ColumnProfile[],
  group: readonly Family[],
): LinesProposal | undefined {
  const isWithin = (one: Family, other: Family) =>
    everyPair(one, other, (left, right) => profiles[left]?.atMost.includes(right) ?? false);
  const named = group.flatMap((family): Placed[] =>
    family.target === undefined ? [] : [[family, family.target]],
  );
  const targets = new Map(named.map(([family, target]) => [target, family]));
  const ordered = targets.get(quantityTarget);
  const mayBeGone = ({ target, kind }: Family) => target === undefined && kind === 'count';
  const isGone = (family: Family) => mayBeGone(family) && ordered !== undefined && isWithin(family, ordered);
  if (ordered !== undefined && targets.size > 1 && targets.size === named.length && !group.some(isGone)) {
    return { choices: [choiceOf(header, named)], isSettled: true };
  }
  const isOfGoods = ({ kind, target }: Family) =>
    target === undefined ? kind === 'code' || kind === 'name' : target !== quantityTarget;
  const goods = group.filter(isOfGoods);
  const counts = group.filter(
    ({ kind, target }) => kind === 'count' && (target ?? quantityTarget) === quantityTarget,
  );
  const [first] = goods;
  if (first === undefined || counts.length === 0) return undefined;
  const isBeside = (one: Family, other: Family) =>
    everyPair(one, other, (left, right) => profiles[left]?.filledWith === profiles[right]?.filledWith);
  // Goods that are named best come first, and counts of which another family is a part.
  const besides = ([left, right]: [Family, Family]) =>
    Number(counts.some((count) => isBeside(right, count))) -
    Number(counts.some((count) => isBeside(left, count)));
  const sorted = goods.toSorted(
    (left, right) =>
      besides([left, right]) || rankOf(left) - rankOf(right) || right.different - left.different,
  );
  const wholes = counts.filter((one) => counts.every((other) => other === one || isWithin(other, one)));
  const orders = wholes.length > 0 ? wholes : counts;
  const codes = sorted.filter((family) => targetOf(family) === 'items[].sku');
  const names = sorted.filter((family) => targetOf(family) === 'items[].name');
  const isAlone = codes.length < 2 && names.length < 2;
  const goodsChoices = isAlone ? [goods] : sorted.map((family) => [family]);
  const choices = orders.flatMap((order) => {
    const gone = counts.filter((other) => other !== order && isWithin(other, order));
    return goodsChoices.flatMap((own) => {
      const base: Placed[] = [
        ...own.map((family): Placed => [family, targetOf(family)]),
        [order, quantityTarget],
      ];
      const plain = choiceOf(header, base);
      if (gone.length === 0) return [plain];
      return [choiceOf(header, [...base, ...gone.map((family): Placed => [family, minusTarget])]), plain];
    });
  });
  const [order, ...otherOrders] = orders;
  const isCertain =
    order !== undefined &&
    otherOrders.length === 0 &&
    isAlone &&
    order.isMany &&
    goods.every((family) => isBeside(family, order)) &&
    counts.every((other) => other === order || countsEndedPieces(other.pattern.replace('{n}', '')));
  return { choices: choices.slice(0, maxWide), isSettled: isCertain };
}

function rankOf({ target, kind }: Family): number {
  return target === undefined ? (kind === 'code' ? 1 : 2) : 0;
}

function targetOf({ target, kind }: Family): string {
  return target ?? (kind === 'code' ? 'items[].sku' : 'items[].name');
}

function everyPair(one: Family, other: Family, holds: (left: number, right: number) => boolean): boolean {
  return [...one.byNumber].every(([number, left]) => {
    const right = other.byNumber.get(number);
    return right !== undefined && holds(left, right);
  });
}

/** A family of columns, and what it holds. */
type Placed = readonly [family: Family, target: string];

function choiceOf(header: Header, placed: readonly Placed[]): LinesChoice {
  const wide: JsonObject = Object.fromEntries(placed.map(([{ pattern }, target]) => [pattern, target]));
  const columns = placed.flatMap(([{ byNumber }]) => [...byNumber.values()]);
  const textsOf = (cells: readonly string[], number: string, wanted: (target: string) => boolean) =>
    placed
      .filter(([, target]) => wanted(target))
      .map(([{ byNumber }]) => cells[byNumber.get(number) ?? -1] ?? '')
      .filter((text) => text !== '');
  const samples = (header.below ?? []).slice(0, maxSamples).map(({ cells }) =>
    [...(placed[0]?.[0].byNumber.keys() ?? [])].flatMap((number) => {
      const texts = textsOf(cells, number, (target) => target !== quantityTarget && target !== minusTarget);
      if (texts.length === 0) return [];
      const counts = textsOf(cells, number, (target) => target === quantityTarget);
      const gone = textsOf(cells, number, (target) => target === minusTarget);
      return [`${[...counts, ...gone.filter((text) => text !== '0')].join(' − ')} × ${texts.join(' ')}`];
    }),
  );
  const first = placed.flatMap(([{ byNumber }]) => [...byNumber.values()].slice(0, 1));
  const name = [...first.map((index) => nameOf(header, index)), '…'].join(', ');
  return { lines: { wide }, columns, name, samples };
}
