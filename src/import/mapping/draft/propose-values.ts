import { startsWithDay } from '../../../orders/calendar-date.ts';
import { columnsNamed, type Header, nameOf } from '../../columns/header.ts';
import { roleOfHeader, roleWithValues, type UnreadColumn } from '../../columns/header-roles.ts';
import type { ColumnProfile } from '../../columns/profile.ts';
import { holdsAmounts } from '../../columns/reading.ts';
import { allRoles, isShipping, type Role, roles, verdictIn, wordsOf } from '../../columns/roles.ts';
import type { CountedValue } from '../../problem.ts';
import { columnIndex } from '../../read/read-table.ts';
import {
  type Choice,
  certain,
  type Decision,
  decisionOf,
  isLeftOut,
  undecided,
  verdict,
} from '../../words/verdict.ts';
import type { Verdict } from '../../words/vocabulary.ts';
import { type Condition, createCondition, foldCell, listOf } from '../conditions.ts';
import type { WantedByHeader } from '../language.ts';
import { unreadColumns } from '../mapping.ts';
import { listsPayment } from '../rules.ts';
import { type JointValues, jointText } from './joint-values.ts';
import type { GivenMapping, ProfiledTable, ProposedValue, ValueProposal } from './proposal.ts';

/** More of them are too many to go through. */
const maxAsked = 40;

/** Columns of payment, state and shipping; those of the payment first. */
export function proposeValues(
  header: Header,
  { profiles, joint }: ProfiledTable,
  known: GivenMapping,
): ValueProposal[] {
  const byIndex = new Map<number, Role>();
  for (const { index, role, header: name } of unreadColumns(known.mapped)) {
    const values = (profiles[index]?.values ?? []).map(({ text }) => text);
    const own = roleWithValues(role, values, name);
    if (roles[own].decides !== undefined) byIndex.set(index, own);
  }
  const decided = new Map<number, ReadonlyMap<string, Decision>>();
  for (const [name, values] of Object.entries(known.map?.values ?? {})) {
    const index = header.indexOf(name);
    if (typeof index !== 'number') continue;
    decided.set(index, new Map(Object.entries(values).map(([text, decision]) => [foldCell(text), decision])));
    const isNote = known.mapped.rules.decided.some((column) => column.index === index && column.isNote);
    // A note that may be a state is asked about alone.
    if (isNote || stateProblems(known).some(({ column }) => columnIndex(column) === index)) continue;
    const own = roleOfHeader(name) ?? 'state';
    const ofPayment = saysWhoPays(own) ? own : 'payment_method';
    byIndex.set(index, listsPayment({ [name]: values }) ? ofPayment : 'state');
  }
  const found = [...byIndex]
    .filter(([index, role]) => {
      const profile = profiles[index];
      if (profile === undefined || profile.filled === 0) return false;
      // `free` among amounts is a fee of 0, and no state.
      const isFee = isShipping(role) && profile.shares.money >= 0.5 && !profile.isRowNumber;
      if (holdsAmounts(profile)) return false;
      return decided.has(index) || (!isFee && !isRuled(header, index, profile, known));
    })
    .toSorted(([, left], [, right]) => allRoles.indexOf(left) - allRoles.indexOf(right));
  const hasOtherPayment = found.filter(([, role]) => saysWhoPays(role)).length > 1;
  const isMethod = (role: Role) => role === 'payment_method';
  const whole = found.findIndex(([index, role]) => isMethod(role) && profiles[index]?.blankOrders === 0);
  const ofColumns = found.map(([index, role], place) => {
    const column = { index, header: nameOf(header, index), role };
    const isLater = whole >= 0 && place > whole && isMethod(role);
    return proposeValuesOf(column, profiles[index] as ColumnProfile, {
      hasOtherPayment,
      isLater,
      decided: decided.get(index),
      ruled: ruledValues(header, index, known),
    });
  });
  const withOrders = joint === undefined ? ofColumns : withLeftOver(ofColumns, joint);
  return [...withOrders, ...unknownValues(header, known)];
}

function saysWhoPays(role: Role): boolean {
  return roles[role].decides === 'payment';
}

/**
 * Says in how many orders a value decides: those in which no column before says who pays. Where there is none, it does
 * not matter what the value says, unless it leaves the order out.
 */
function withLeftOver(columns: readonly ValueProposal[], { indexes, counts }: JointValues): ValueProposal[] {
  const places = columns.map(({ index }) => indexes.indexOf(index));
  return columns.map((column, rank): ValueProposal => {
    const place = places[rank] ?? -1;
    if (place < 0 || rank === 0 || column.role === 'state_or_payment') return column;
    const before = columns.slice(0, rank);
    const isLeft = (texts: readonly string[]) =>
      before.every((other, at) => !decides(other, texts[places[at] ?? -1]));
    const values = column.values.map((value): ProposedValue => {
      const same = counts.filter(({ texts }) => texts[place] === jointText(value.text));
      const all = countOf(same);
      const leftOver = countOf(same.filter(({ texts }) => isLeft(texts)));
      if (all === 0 || leftOver === all || value.text === '*') return value;
      if (leftOver > 0 || value.isCertain) return { ...value, leftOver };
      return value.decision === 'leave_out' ? value : { ...value, ...certain('deliver') };
    });
    return { ...column, values };
  });
}

function decides({ values }: ValueProposal, text: string | undefined): boolean {
  const found = values.find((value) => text !== undefined && jointText(value.text) === text);
  return found?.isCertain === true && found.decision !== 'deliver';
}

function stateProblems({ problems = [] }: GivenMapping) {
  return problems.flatMap(({ first: { code, column } }) =>
    code === 'state_unknown' && column !== undefined ? [{ column }] : [],
  );
}

/** What the preset of a shop does not know, states that no rule of a mapping file knows, and notes that may be one. */
function unknownValues(header: Header, { shop, mapped, problems = [] }: GivenMapping): ValueProposal[] {
  const ruled = new Set(mapped.rules.states.map(({ index }) => index));
  const split = mapped.rules.payment?.split;
  const byColumn = new Map<number, ValueProposal>();
  for (const { first, others } of problems) {
    const { code, column, value } = first;
    if (column === undefined || value === undefined) continue;
    if (code !== 'payment_unknown' && code !== 'state_unknown') continue;
    const index = columnIndex(column);
    const isState = code === 'state_unknown';
    const isNote = isState && !ruled.has(index);
    if (shop === undefined && !ruled.has(index) && !isNote) continue;
    const role = isNote ? 'note' : isState ? 'state' : 'payment_method';
    const parts = isState || split === undefined ? [value] : value.split(split).map((part) => part.trim());
    const isUnknown = (part: string) =>
      isState || ['unknown', 'unclear', 'cash'].includes(verdict('payment_method', part));
    const unknown = parts.filter(isUnknown);
    const known = byColumn.get(index) ?? { index, header: nameOf(header, index), role, values: [] };
    const isNew = (text: string) => known.values.every((other) => other.text !== text);
    const values = unknown.filter(isNew).map((text) => ({ text, count: 1 + others, ...undecided }));
    byColumn.set(index, { ...known, values: [...known.values, ...values] });
  }
  return [...byColumn.values()];
}

interface Beside {
  /** Whether another column, which is also asked, says who pays. */
  hasOtherPayment: boolean;
  /** Whether an earlier column has the method of every order, so that this one rarely matters. */
  isLater?: boolean;
  decided?: ReadonlyMap<string, Decision> | undefined;
  ruled?: RuledValues;
}

type RuledValues = (text: string) => Decision | undefined;

/** What the given rules and `--leave-out` say of the values of a column, wherever they read no other column with it. */
function ruledValues(header: Header, index: number, { map, leaveOut = [] }: GivenMapping): RuledValues {
  const rules: [Decision, readonly WantedByHeader[]][] = [
    [
      'leave_out',
      [
        ...conditionsOfFlags({ leaveOut }),
        ...Object.values(map?.leave_out ?? {}).flatMap((rule) => rule ?? []),
      ],
    ],
    ['prepaid', listOf(map?.paid)],
    ['collect', listOf(map?.on_delivery)],
    ['deliver', [...listOf(map?.open), ...listOf(map?.to_deliver)]],
  ];
  const conditions = rules.flatMap(([decision, alternatives]) =>
    conditionsOn(header, index, alternatives).map((condition) => ({ decision, condition })),
  );
  return (text) => conditions.find(({ condition }) => condition.matches(text))?.decision;
}

function conditionsOfFlags({ leaveOut = [] }: Pick<GivenMapping, 'leaveOut'>): WantedByHeader[] {
  return leaveOut.map(({ header, value }) => ({ [header]: value }));
}

function conditionsOn(header: Header, index: number, rule: readonly WantedByHeader[]): Condition[] {
  return rule.flatMap((wanted) => {
    const [[name, value] = [], other] = Object.entries(wanted);
    if (name === undefined || value === undefined || other !== undefined) return [];
    return columnsNamed(header, name).includes(index)
      ? [createCondition({ index, header: name }, value)]
      : [];
  });
}

/** Whether the given rules read who pays from a column, and `--leave-out` its states, so that nothing is left to decide. */
function isRuled(
  header: Header,
  index: number,
  { values, blankOrders }: ColumnProfile,
  known: GivenMapping,
): boolean {
  const { paid, open, on_delivery: onDelivery, amount_due: due } = known.map ?? {};
  const isNamedIn = (rules: readonly WantedByHeader[]) => conditionsOn(header, index, rules).length > 0;
  const isRead = isNamedIn([...listOf(paid), ...listOf(open), ...listOf(onDelivery)]);
  if (values === undefined || !isRead || !isNamedIn(conditionsOfFlags(known))) return false;
  if (blankOrders > 0 && due === undefined) return false;
  const ruled = ruledValues(header, index, known);
  const isLeft = (text: string) => isLeftOut(verdict('state', text, nameOf(header, index)));
  return values.every(({ text }) => ruled(text) !== undefined || (due !== undefined && !isLeft(text)));
}

function proposeValuesOf(
  column: UnreadColumn,
  profile: ColumnProfile,
  { hasOtherPayment, isLater = false, decided, ruled }: Beside,
): ValueProposal {
  const { header, role } = column;
  const mayBePickup = role === 'shipping_method' && hasPickup(header, profile);
  const choiceFor = (text: string): Choice => {
    const given = decided?.get(foldCell(text)) ?? decided?.get('*') ?? ruled?.(text);
    if (given !== undefined) return certain(given);
    const found = verdictIn(column, text);
    const choice = decisionOf(found, wordsOf(role), hasOtherPayment);
    // Beside values that the user listed, a new one is for the user to decide as well.
    if (decided !== undefined || (mayBePickup && found === 'unknown')) return { ...choice, isCertain: false };
    return isLater && isSilent(found) ? certain('deliver') : choice;
  };
  const all = mergeEqual(profile.values ?? []);
  const dates = all.filter(({ text }) => startsWithDay(text));
  const texts = all.filter(({ text }) => !startsWithDay(text));
  const known = texts.map((value): ProposedValue => ({ ...value, ...choiceFor(value.text) }));
  const isAskable = known.filter(({ isCertain }) => !isCertain).length <= maxAsked;
  const values = isAskable ? known : known.filter(({ isCertain }) => isCertain);
  const rest = profile.filled - countOf(values);
  if (rest > 0) {
    const choice = choiceForOthers(column, profile, dates);
    values.push({ text: '*', count: rest, ...choice, isCertain: choice.isCertain && !mayBePickup });
  }
  if (saysWhoPays(role) && profile.blankOrders > 0) {
    const given = decided?.get('') ?? (hasOtherPayment ? 'deliver' : undefined);
    values.push({
      text: '',
      count: profile.blankOrders,
      ...(given === undefined ? undecided : certain(given)),
    });
  }
  return { ...column, values };
}

/** An unknown method beside a pickup may be another name for one. */
function hasPickup(header: string, { values, samples }: ColumnProfile): boolean {
  const texts = values?.map(({ text }) => text) ?? samples;
  return texts.some((text) => verdict('shipping_method', text, header) === 'pickup');
}

/** Whether a method says nothing about who pays that the method before it does not say. */
function isSilent(found: Verdict): boolean {
  return found === 'other_method' || found === 'unknown' || found === 'nothing';
}

/** Values that differ in case alone are one, as a mapping file reads them. */
export function mergeEqual(values: readonly CountedValue[]): CountedValue[] {
  const merged = new Map<string, CountedValue>();
  for (const { text, count } of values) {
    const known = merged.get(foldCell(text)) ?? { text, count: 0 };
    merged.set(foldCell(text), { ...known, count: known.count + count });
  }
  return [...merged.values()];
}

function countOf(values: readonly { count: number }[]): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}

function choiceForOthers(
  column: UnreadColumn,
  { filled, blankOrders, shares, samples }: ColumnProfile,
  dates: readonly CountedValue[],
): Choice {
  const areDates = countOf(dates) === filled || shares.date >= 0.9;
  const date = samples.find(startsWithDay);
  if (areDates && date !== undefined) {
    const choice = decisionOf(verdictIn(column, date), wordsOf(column.role));
    // A day in every row may be the one on which the goods are to leave.
    const leavesAllOut = choice.decision === 'leave_out' && blankOrders === 0;
    return leavesAllOut ? { ...choice, isCertain: false } : choice;
  }
  return column.role === 'shipping_method' ? certain('deliver') : undecided;
}
