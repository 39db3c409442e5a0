import type { LeaveOutFlag, LeftOutReason, PlanFlags } from '../choices.ts';
import type { Problem } from '../problem.ts';
import type { NamedColumn } from './column.ts';
import {
  type Condition,
  createCondition,
  findColumn,
  knownValues,
  type Lookup,
  listOf,
  type Rule,
  readRule,
} from './conditions.ts';
import { type DecidedColumn, leaveOutRules, readDecided, reasonOfText } from './decided-columns.ts';
import type { Header } from './header.ts';
import type { MappingFile, Preset, WantedByHeader } from './language.ts';
import type { OrderRules, PaymentRules, ReasonRule } from './mapping.ts';
import { findMeanings } from './meanings.ts';

type RulesOf =
  | Omit<MappingFile, 'columns' | 'constants' | 'ignore'>
  | Omit<Preset, 'columns' | 'constants' | 'ignore'>;

interface RuleOptions extends Pick<PlanFlags, 'leaveOut' | 'include'> {
  map?: Pick<MappingFile, 'values'> | undefined;
  ignored?: ReadonlySet<number> | undefined;
}

/**
 * The user's rules are added to those of the preset. A value that the user lists means only what is listed, and a
 * column that the user names replaces the preset's.
 */
export function readRules(
  header: Header,
  sources: readonly { rules: RulesOf; isPreset: boolean }[],
  { map, leaveOut: leaveOutFlags = [], include = [], ignored }: RuleOptions,
): { rules: OrderRules; used: Set<number>; problems: Problem[] } {
  const problems: Problem[] = [];
  const used = new Set<number>();
  const use = (column: NamedColumn) => used.add(column.index);
  const lookupOf = (isPreset: boolean): Lookup =>
    isPreset && ignored !== undefined
      ? { header, isPreset, problems, ignored }
      : { header, isPreset, problems };
  const sourceOf = (key: keyof RulesOf) => sources.find(({ rules }) => rules[key] !== undefined);

  const decided = readDecided(lookupOf(false), map?.values, include).filter(
    ({ index }) => !ignored?.has(index),
  );
  for (const column of decided) use(column);
  const isOpen = isOutside(decided);

  const own = ownValues(header, sources);
  const readOf = (key: keyof RulesOf, wantedIn: (rules: RulesOf) => unknown, option: string): Rule =>
    sources.flatMap(({ rules, isPreset }) => {
      const wanted = wantedIn(rules) as WantedByHeader[] | undefined;
      const found = readRule(lookupOf(isPreset), wanted, option);
      for (const condition of found.flat()) use(condition);
      if (!isPreset) return found;
      const isAsked = key === 'pickup' || familyOf(key) >= 0;
      const asked = isAsked ? found.filter(([first]) => first === undefined || isOpen(first)) : found;
      return withoutOwn(asked, own.get(familyOf(key)));
    });
  const rule = (key: keyof RulesOf): Rule => readOf(key, (rules) => rules[key], key);
  const columns = (key: keyof RulesOf, names?: string | readonly string[]): NamedColumn[] => {
    const source = sourceOf(key);
    if (source === undefined) return [];
    const listed = names ?? (source.rules[key] as string | string[]);
    return listOf(listed)
      .flatMap((name) => namedColumn(lookupOf(source.isPreset), name, key) ?? [])
      .map((column) => {
        use(column);
        return column;
      });
  };
  const byReason = (key: 'leave_out' | 'leave_out_lines'): ReasonRule[] => {
    const reasons = new Set(sources.flatMap(({ rules }) => Object.keys(rules[key] ?? {})) as LeftOutReason[]);
    return [...reasons].map((reason) => ({
      reason,
      rule: readOf(key, (rules) => rules[key]?.[reason], `${key}.${reason}`),
    }));
  };

  const pickup = rule('pickup');
  const flags = readFlags(lookupOf(false), leaveOutFlags);
  const isMeant = ({ reason, rule: found }: ReasonRule) => found.length > 0 && !include.includes(reason);
  const leaveOut = [
    ...byReason('leave_out'),
    { reason: 'pickup' as const, rule: pickup },
    ...flags,
    ...decided.filter(({ isPayment }) => !isPayment).flatMap(leaveOutRules),
  ];
  const toDeliver = rule('to_deliver');
  const partlyFulfilled = rule('partly_fulfilled');
  const payment = readPayment(sourceOf, rule, columns, decided);
  const sums = readSums(sourceOf('sums'), lookupOf, use);
  const states = knownValues(
    [
      ...leaveOut.filter(({ reason }) => reason !== 'pickup').map(({ rule: found }) => found),
      toDeliver,
      partlyFulfilled,
    ],
    (index) => toDeliver.some((conditions) => conditions.some((condition) => condition.index === index)),
  );
  // The service takes every amount as ₮, whatever a mapping says.
  const currencies = decided.filter(({ index }) =>
    findMeanings(header, [index], []).some(({ meaning }) => meaning === 'currency'),
  );
  return {
    used,
    problems,
    rules: {
      summaryRow: rule('summary_row_when'),
      leaveOut: leaveOut.filter(isMeant),
      leaveOutLines: byReason('leave_out_lines').filter(isMeant),
      partlyFulfilled: include.includes('fulfilled') ? [] : partlyFulfilled,
      quantitiesNotFinal: rule('quantities_not_final'),
      states: states.filter(isOpen),
      decided,
      currency: [...columns('currency').filter(isOpen), ...currencies],
      shippingMethod: columns('shipping_method').filter(isOpen),
      takesPickups: include.includes('pickup'),
      ...(payment === undefined ? {} : { payment }),
      ...(sums === undefined ? {} : { sums }),
    },
  };
}

const families: readonly (readonly (keyof RulesOf)[])[] = [
  ['leave_out', 'to_deliver', 'partly_fulfilled'],
  ['leave_out_lines'],
  ['paid', 'partly_paid', 'open', 'on_delivery'],
];

/** Keys whose rules give each value one meaning. */
function familyOf(key: keyof RulesOf): number {
  return families.findIndex((keys) => keys.includes(key));
}

/** The conditions of the user's own mapping, by family. Its headers are checked where its rules are read. */
function ownValues(
  header: Header,
  sources: readonly { rules: RulesOf; isPreset: boolean }[],
): ReadonlyMap<number, readonly Condition[]> {
  const lookup: Lookup = { header, isPreset: true, problems: [] };
  const user = sources.find(({ isPreset }) => !isPreset)?.rules;
  return new Map(
    families.map((keys, family) => {
      const rules = keys.flatMap((key) => {
        const wanted = user?.[key];
        const isByReason = key === 'leave_out' || key === 'leave_out_lines';
        return isByReason ? Object.values(wanted ?? {}) : [wanted];
      });
      return [family, rules.flatMap((wanted) => readRule(lookup, wanted as WantedByHeader[], '').flat())];
    }),
  );
}

function withoutOwn(rule: Rule, own: readonly Condition[] = []): Rule {
  if (own.length === 0) return rule;
  return rule.map((conditions) =>
    conditions.map((condition) => {
      const others = own.filter(({ index, values }) => index === condition.index && values !== undefined);
      if (condition.values === undefined || others.length === 0) return condition;
      const matches = (text: string) =>
        condition.matches(text) && !others.some((other) => other.matches(text));
      return { ...condition, matches };
    }),
  );
}

function namedColumn(lookup: Lookup, name: string, option: string): NamedColumn | undefined {
  const index = findColumn(lookup, name, option);
  return typeof index === 'number' ? { index, header: lookup.header.cells[index] ?? name } : undefined;
}

function readFlags(lookup: Lookup, flags: readonly LeaveOutFlag[]): ReasonRule[] {
  return flags.flatMap(({ header, value }) => {
    const index = findColumn(lookup, header, '--leave-out');
    if (typeof index !== 'number') return [];
    const reason = reasonOfText(header, value, 'rule');
    return [{ reason, rule: [[createCondition(index, header, value)]] }];
  });
}

function isOutside(columns: readonly NamedColumn[]): (column: NamedColumn) => boolean {
  return ({ index }) => columns.every((column) => column.index !== index);
}

function readPayment(
  sourceOf: (key: keyof RulesOf) => { rules: RulesOf } | undefined,
  rule: (key: keyof RulesOf) => Rule,
  columns: (key: keyof RulesOf, names?: string | readonly string[]) => NamedColumn[],
  allDecided: readonly DecidedColumn[],
): PaymentRules | undefined {
  const isOpen = isOutside(allDecided);
  const decided = allDecided.filter(({ isPayment }) => isPayment);
  const method = sourceOf('payment_method')?.rules.payment_method;
  const payment: PaymentRules = {
    paid: rule('paid'),
    partlyPaid: rule('partly_paid'),
    open: rule('open'),
    onDelivery: rule('on_delivery'),
    decided,
    states: [],
    methods: columns('payment_method', typeof method === 'object' ? method.from : method).filter(isOpen),
    split: typeof method === 'object' ? method.split : undefined,
    due: columns('amount_due'),
    alreadyPaid: columns('amount_paid'),
    unclear: rule('amount_unclear'),
  };
  const { paid, partlyPaid, open, onDelivery, methods, due } = payment;
  if ([decided, paid, partlyPaid, open, onDelivery, methods, due].every(({ length }) => length === 0))
    return undefined;
  const isMethod = (index: number) => methods.some((column) => column.index === index);
  return {
    ...payment,
    states: knownValues([paid, partlyPaid, open].map(stateColumns), (index) => !isMethod(index)).filter(
      isOpen,
    ),
  };
}

/** The first column of each alternative; the others only narrow it down. */
function stateColumns(rule: Rule): Rule {
  return rule.map((conditions) => conditions.slice(0, 1));
}

function readSums(
  source: { rules: RulesOf; isPreset: boolean } | undefined,
  lookupOf: (isPreset: boolean) => Lookup,
  use: (column: NamedColumn) => unknown,
): OrderRules['sums'] | undefined {
  if (source?.rules.sums === undefined) return undefined;
  const found = Object.entries(source.rules.sums).flatMap(([part, name]) => {
    const column = namedColumn(lookupOf(source.isPreset), name as string, `sums.${part}`);
    if (column === undefined) return [];
    use(column);
    return [[part, column] as const];
  });
  return Object.fromEntries(found) as NonNullable<OrderRules['sums']>;
}
