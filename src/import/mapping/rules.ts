import type { LeaveOutFlag, LeftOutReason } from '../choices.ts';
import { columnsNamed, type NamedColumn } from '../columns/header.ts';
import { findUnread } from '../columns/header-roles.ts';
import { isIncluded, isLeftOut, verdict } from '../words/verdict.ts';
import {
  type Condition,
  createCondition,
  findColumn,
  foldCell,
  isAnyText,
  type Lookup,
  listedValues,
  listOf,
  type Rule,
  readRule,
} from './conditions.ts';
import type { DecidedValues, MappingFile, Preset, WantedByHeader } from './language.ts';
import type {
  Answer,
  DecidedColumn,
  MappedFlags,
  Mapping,
  OrderRules,
  PaymentRules,
  ReasonRule,
} from './mapping.ts';

/** A mapping file or a preset, and where its headers are looked up. */
export interface RuleSource extends Lookup {
  rules: MappingFile | Preset;
}

/** The keys of rules, by what each value of a column means only once. */
const ruleKeys = {
  leave_out: 'state',
  to_deliver: 'state',
  partly_fulfilled: 'state',
  leave_out_lines: 'state of a line',
  paid: 'payment',
  partly_paid: 'payment',
  open: 'payment',
  on_delivery: 'payment',
  pickup: 'pickup',
  amount_unclear: undefined,
  summary_row_when: undefined,
  quantities_not_final: undefined,
} as const;

type RuleKey = keyof typeof ruleKeys;
type ColumnsKey = 'payment_method' | 'amount_due' | 'amount_paid' | 'currency' | 'shipping_method';

interface KeyedRule {
  key: RuleKey;
  /** Of `leave_out` and `leave_out_lines`. */
  reason?: LeftOutReason;
  rule: Rule;
}

function rulesIn(source: RuleSource): KeyedRule[] {
  return (Object.keys(ruleKeys) as RuleKey[]).flatMap((key): KeyedRule[] => {
    if (key !== 'leave_out' && key !== 'leave_out_lines')
      return [{ key, rule: readRule(source, source.rules[key], key) }];
    const byReason = Object.entries(source.rules[key] ?? {}) as [LeftOutReason, WantedByHeader][];
    return byReason.map(([reason, wanted]) => ({
      key,
      reason,
      rule: readRule(source, wanted, `${key}.${reason}`),
    }));
  });
}

/** The preset's rule without the columns and values about which the user's mapping decides. */
function withoutDecided(
  { key, rule, ...rest }: KeyedRule,
  own: readonly KeyedRule[],
  isOpen: (column: NamedColumn) => boolean,
): KeyedRule {
  const subject = ruleKeys[key];
  if (subject === undefined) return { key, rule, ...rest };
  const listed = own.filter((other) => ruleKeys[other.key] === subject).flatMap((other) => other.rule.flat());
  const withoutListed = (condition: Condition): Condition => {
    const others = listed.filter(({ index, values }) => index === condition.index && values !== undefined);
    if (condition.values === undefined || others.length === 0) return condition;
    const isListed = (text: string) => others.some((other) => other.matches(text));
    return { ...condition, matches: (text) => condition.matches(text) && !isListed(text) };
  };
  const open = rule.filter(([first]) => first === undefined || isOpen(first));
  return { key, rule: open.map((conditions) => conditions.map(withoutListed)), ...rest };
}

interface ReadRules {
  rules: OrderRules;
  used: Set<number>;
  /** Columns of which `--leave-out` names values: what its other values mean is still checked. */
  namedByFlags: Set<number>;
}

/**
 * The user's rules are added to those of the preset. A value that the user lists means only what is listed, and a
 * column that the user names replaces the preset's. `ignored`: columns that no preset may read.
 */
export function readRules(
  ofUser: Lookup,
  sources: readonly RuleSource[],
  {
    map,
    leaveOut: leaveOutFlags = [],
    include = [],
    columns: fields,
  }: Pick<MappedFlags, 'map' | 'leaveOut' | 'include'> & Pick<Mapping, 'columns'>,
  ignored: ReadonlySet<number>,
): ReadRules {
  const isNote = (index: number) =>
    fields.some((field) => field.index === index && field.path.at(-1) === 'note');
  const decided = readDecided(ofUser, map ?? {}, include, isNote).filter(({ index }) => !ignored.has(index));
  const isOpen = ({ index }: NamedColumn) => decided.every((column) => column.index !== index);
  const [own, ofShop] = [false, true].map((isPreset) =>
    sources.filter((source) => source.isPreset === isPreset).flatMap(rulesIn),
  ) as [KeyedRule[], KeyedRule[]];
  const all = [...own, ...ofShop.map((each) => withoutDecided(each, own, isOpen))];
  const rule = (key: RuleKey): Rule => all.flatMap((each) => (each.key === key ? each.rule : []));
  const byReason = (key: RuleKey): ReasonRule[] => {
    const reasons = new Set(all.flatMap((each) => (each.key === key ? (each.reason ?? []) : [])));
    return [...reasons].map((reason) => ({
      reason,
      rule: all.flatMap((each) => (each.key === key && each.reason === reason ? each.rule : [])),
    }));
  };
  const used = new Set([...decided, ...[...own, ...ofShop].flatMap((each) => each.rule.flat())].map(indexOf));
  const find = (source: RuleSource, name: string, key: string): NamedColumn[] => {
    const column = findColumn(source, name, key);
    if (column === undefined) return [];
    used.add(column.index);
    return [column];
  };
  /** The first source that names such columns has all of them. */
  const columns = (key: ColumnsKey): NamedColumn[] => {
    const source = sources.find(({ rules }) => rules[key] !== undefined);
    const named = source?.rules[key];
    const names = typeof named === 'object' && 'from' in named ? named.from : named;
    return source === undefined ? [] : listOf(names).flatMap((name) => find(source, name, key));
  };
  const ofSums = sources.find(({ rules }) => rules.sums !== undefined);
  const sums = Object.entries((ofSums?.rules.sums ?? {}) as Record<string, string>).flatMap(([part, name]) =>
    ofSums === undefined ? [] : find(ofSums, name, `sums.${part}`).map((column) => [part, column] as const),
  );
  const methods = columns('payment_method').filter(isOpen);
  const byValues: Omit<PaymentRules, 'states' | 'split' | 'alreadyPaid' | 'unclear'> = {
    decided: decided.filter(({ isPayment }) => isPayment),
    paid: rule('paid'),
    partlyPaid: rule('partly_paid'),
    open: rule('open'),
    onDelivery: rule('on_delivery'),
    methods,
    due: columns('amount_due'),
  };
  // The first column of each alternative; the others only narrow it down.
  const firsts = [byValues.paid, byValues.partlyPaid, byValues.open].map((each) =>
    each.map((conditions) => conditions.slice(0, 1)),
  );
  const isMethod = ({ index }: NamedColumn) => methods.some((column) => column.index === index);
  const method = sources.find(({ rules }) => rules.payment_method !== undefined)?.rules.payment_method;
  const payment: PaymentRules = {
    ...byValues,
    states: listedValues(firsts, (column) => !isMethod(column) && isOpen(column)),
    split: typeof method === 'object' ? method.split : undefined,
    alreadyPaid: columns('amount_paid'),
    unclear: rule('amount_unclear'),
  };
  const flags = readFlags(ofUser, leaveOutFlags);
  const leaveOut = [
    ...byReason('leave_out'),
    { reason: 'pickup' as const, rule: rule('pickup') },
    ...flags,
    ...decided.filter(({ isPayment }) => !isPayment).flatMap(leaveOutRules),
  ];
  const isMeant = ({ reason, rule: found }: ReasonRule) => found.length > 0 && !include.includes(reason);
  const toDeliver = rule('to_deliver');
  const partlyFulfilled = rule('partly_fulfilled');
  const ofState = leaveOut.filter(({ reason }) => reason !== 'pickup').map(({ rule: found }) => found);
  const isDelivered = new Set(toDeliver.flat().map(indexOf));
  // The service takes every amount as ₮, whatever a mapping says.
  const currencies = decided.filter(({ index }) =>
    findUnread(ofUser.header, [index]).some(({ role }) => role === 'currency'),
  );
  return {
    used,
    namedByFlags: new Set(flags.flatMap(({ rule: found }) => found.flat().map(indexOf))),
    rules: {
      summaryRow: rule('summary_row_when'),
      leaveOut: leaveOut.filter(isMeant),
      leaveOutLines: byReason('leave_out_lines').filter(isMeant),
      partlyFulfilled: include.includes('fulfilled') ? [] : partlyFulfilled,
      quantitiesNotFinal: rule('quantities_not_final'),
      states: listedValues(
        [...ofState, toDeliver, partlyFulfilled],
        (column) => isDelivered.has(column.index) && isOpen(column),
      ),
      decided,
      currency: [...columns('currency').filter(isOpen), ...currencies],
      shippingMethod: columns('shipping_method').filter(isOpen),
      takesPickups: include.includes('pickup'),
      ...(Object.values(byValues).some(({ length }) => length > 0) ? { payment } : {}),
      ...(ofSums === undefined ? {} : { sums: Object.fromEntries(sums) }),
    },
  };
}

function indexOf({ index }: NamedColumn): number {
  return index;
}

function readFlags(lookup: Lookup, flags: readonly LeaveOutFlag[]): ReasonRule[] {
  return flags.flatMap(({ header, value }) => {
    const column = findColumn(lookup, header, '--leave-out');
    if (column === undefined) return [];
    return [{ reason: reasonOfText(header, value, 'rule'), rule: [[createCondition(column, value)]] }];
  });
}

/** `include`: reasons for which orders are delivered nevertheless. */
function readDecided(
  lookup: Lookup,
  { values = {}, amount_due: due }: Pick<MappingFile, 'values' | 'amount_due'>,
  include: readonly LeftOutReason[],
  isNote: (index: number) => boolean,
): DecidedColumn[] {
  const dues = new Set(listOf(due).flatMap((name) => columnsNamed(lookup.header, name)));
  return Object.entries(values).flatMap(([name, listed]): DecidedColumn[] => {
    const column = findColumn(lookup, name, 'values');
    if (column === undefined) return [];
    const isPayment = listsPayment({ [name]: listed });
    const answers = Object.entries(listed).map(([text, decision]): [string, Answer] => {
      if (decision !== 'leave_out') return [foldCell(text), { decision }];
      const reason = reasonOfText(column.header, text, isPayment ? 'unpaid' : 'rule');
      return [
        foldCell(text),
        include.includes(reason) ? { decision: 'deliver' } : { decision: 'leave_out', reason },
      ];
    });
    const isAmount = dues.has(column.index);
    const ofNotes = isNote(column.index) && !isPayment;
    return [{ ...column, isPayment, isAmount, isNote: ofNotes, answers: new Map(answers) }];
  });
}

export function listsPayment(values: DecidedValues = {}): boolean {
  const all = Object.values(values).flatMap((listed) => Object.values(listed));
  return all.some((decision) => decision === 'collect' || decision === 'prepaid');
}

export function listedText({ answers }: DecidedColumn, cell: string): string | undefined {
  const text = foldCell(cell);
  if (answers.has(text)) return text;
  const any = answers.get('*');
  return any !== undefined && isAnyText(text) && isIncluded(verdict('any', text), any.decision)
    ? '*'
    : undefined;
}

/** Undefined for a text that is not listed. A blank cell may be unlisted when no value is about the payment. */
export function answerFor(column: DecidedColumn, cell: string): Answer | undefined {
  const text = listedText(column, cell);
  const isOther = column.isNote || (column.isAmount && foldCell(cell) !== '');
  if (text === undefined && isOther) return { decision: 'deliver' };
  if (text !== undefined) return column.answers.get(text);
  return foldCell(cell) === '' && !column.isPayment ? { decision: 'deliver' } : undefined;
}

/** The answer of the first column that has one; 'unclear': a value is not listed, or the rows disagree. */
export function askDecided(
  columns: readonly DecidedColumn[],
  { cells, rows }: { cells: readonly string[]; rows: readonly { cells: readonly string[] }[] },
): Exclude<Answer, { decision: 'deliver' }> | 'unclear' | undefined {
  const answers = columns.map((column) => {
    const text = foldCell(cells[column.index] ?? '');
    const agrees = rows.every((row) => ['', text].includes(foldCell(row.cells[column.index] ?? '')));
    return agrees ? answerFor(column, text) : undefined;
  });
  if (answers.includes(undefined)) return 'unclear';
  return answers.find((answer) => answer?.decision !== 'deliver') as
    | Exclude<Answer, { decision: 'deliver' }>
    | undefined;
}

function leaveOutRules(column: DecidedColumn): ReasonRule[] {
  const { index, header, answers } = column;
  return [...answers].flatMap(([text, answer]) => {
    if (answer.decision !== 'leave_out') return [];
    const matches = (cell: string) => listedText(column, cell) === text;
    const values = text === '*' ? undefined : [text];
    return [{ reason: answer.reason, rule: [[{ index, header, matches, values }]] }];
  });
}

/** Why an order with this text is left out: by the text or, for a column such as `Cancelled at`, by the header. */
export function reasonOfText(header: string, text: string, otherwise: LeftOutReason): LeftOutReason {
  const found = verdict('shipping_or_state', text === '*' ? 'yes' : text, header);
  return isLeftOut(found) ? found : otherwise;
}
