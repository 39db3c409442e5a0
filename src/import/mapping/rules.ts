import type { LeaveOutFlag, LeftOutReason } from '../choices.ts';
import { columnsNamed, type Header, type NamedColumn } from '../columns/header.ts';
import { findUnread } from '../columns/header-roles.ts';
import type { Problem } from '../problem.ts';
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
  MappingSources,
  OrderRules,
  PaymentRules,
  ReasonRule,
} from './mapping.ts';

type RuleKey = keyof (MappingFile | Preset);

/**
 * The user's rules are added to those of the preset. A value that the user lists means only what is listed, and a
 * column that the user names replaces the preset's. `ignored`: columns that no preset may read.
 */
export function readRules(
  header: Header,
  sources: MappingSources,
  {
    map,
    leaveOut: leaveOutFlags = [],
    include = [],
    columns: fields,
  }: Pick<MappedFlags, 'map' | 'leaveOut' | 'include'> & Pick<Mapping, 'columns'>,
  ignored: ReadonlySet<number>,
): {
  rules: OrderRules;
  used: Set<number>;
  /** Columns of which `--leave-out` names values: what its other values mean is still checked. */
  namedByFlags: Set<number>;
  problems: Problem[];
} {
  const problems: Problem[] = [];
  const used = new Set<number>();
  const lookupOf = (isPreset: boolean): Lookup => ({
    header,
    isPreset,
    problems,
    ...(isPreset ? { ignored } : {}),
  });
  const use = (columns: readonly NamedColumn[]) => {
    for (const { index } of columns) used.add(index);
  };
  const sourceOf = (key: RuleKey) => sources.find(({ rules }) => rules[key] !== undefined);

  const isNote = (index: number) =>
    fields.some((field) => field.index === index && field.path.at(-1) === 'note');
  const decided = readDecided(lookupOf(false), map ?? {}, include, isNote).filter(
    ({ index }) => !ignored.has(index),
  );
  use(decided);
  const isOpen = ({ index }: NamedColumn) => decided.every((column) => column.index !== index);

  const own = ownValues(header, map);
  const readOf = (key: RuleKey, wantedIn: (rules: MappingFile | Preset) => unknown, option: string): Rule =>
    sources.flatMap(({ rules, isPreset }) => {
      const wanted = wantedIn(rules) as WantedByHeader[] | undefined;
      const found = readRule(lookupOf(isPreset), wanted, option);
      use(found.flat());
      if (!isPreset) return found;
      const isAsked = key === 'pickup' || familyOf(key) >= 0;
      const asked = isAsked ? found.filter(([first]) => first === undefined || isOpen(first)) : found;
      return withoutOwn(asked, own.get(familyOf(key)));
    });
  const rule = (key: RuleKey): Rule => readOf(key, (rules) => rules[key], key);
  const columns = (key: RuleKey, names?: string | readonly string[]): NamedColumn[] => {
    const source = sourceOf(key);
    if (source === undefined) return [];
    const found = listOf(names ?? (source.rules[key] as string | string[])).flatMap(
      (name) => findColumn(lookupOf(source.isPreset), name, key) ?? [],
    );
    use(found);
    return found;
  };
  const byReason = (key: 'leave_out' | 'leave_out_lines'): ReasonRule[] => {
    const reasons = new Set(sources.flatMap(({ rules }) => Object.keys(rules[key] ?? {})) as LeftOutReason[]);
    return [...reasons].map((reason) => ({
      reason,
      rule: readOf(key, (rules) => rules[key]?.[reason], `${key}.${reason}`),
    }));
  };
  const readPayment = (): PaymentRules | undefined => {
    const method = sourceOf('payment_method')?.rules.payment_method;
    const { from, split } = typeof method === 'object' ? method : { from: method };
    const paid = rule('paid');
    const partlyPaid = rule('partly_paid');
    const open = rule('open');
    const onDelivery = rule('on_delivery');
    const methods = columns('payment_method', from).filter(isOpen);
    const due = columns('amount_due');
    const alreadyPaid = columns('amount_paid');
    const unclear = rule('amount_unclear');
    const ofPayment = decided.filter(({ isPayment }) => isPayment);
    if ([ofPayment, paid, partlyPaid, open, onDelivery, methods, due].every(({ length }) => length === 0))
      return undefined;
    // The first column of each alternative; the others only narrow it down.
    const firsts = [...paid, ...partlyPaid, ...open].map((conditions) => conditions.slice(0, 1));
    const isMethod = ({ index }: NamedColumn) => methods.some((column) => column.index === index);
    const states = listedValues([firsts], (column) => !isMethod(column) && isOpen(column));
    return {
      decided: ofPayment,
      paid,
      partlyPaid,
      open,
      onDelivery,
      states,
      methods,
      split,
      due,
      alreadyPaid,
      unclear,
    };
  };
  const readSums = (): OrderRules['sums'] => {
    const source = sourceOf('sums');
    if (source === undefined) return undefined;
    const found = Object.entries(source.rules.sums ?? {}).flatMap(([part, name]) => {
      const column = findColumn(lookupOf(source.isPreset), name as string, `sums.${part}`);
      return column === undefined ? [] : [[part, column] as const];
    });
    use(found.map(([, column]) => column));
    return Object.fromEntries(found);
  };

  const pickup = { reason: 'pickup' as const, rule: rule('pickup') };
  const flags = readFlags(lookupOf(false), leaveOutFlags);
  const leaveOut = [
    ...byReason('leave_out'),
    pickup,
    ...flags,
    ...decided.filter(({ isPayment }) => !isPayment).flatMap(leaveOutRules),
  ];
  const isMeant = ({ reason, rule: found }: ReasonRule) => found.length > 0 && !include.includes(reason);
  const toDeliver = rule('to_deliver');
  const partlyFulfilled = rule('partly_fulfilled');
  const payment = readPayment();
  const sums = readSums();
  const ofState = leaveOut.filter(({ reason }) => reason !== 'pickup').map(({ rule: found }) => found);
  const isDelivered = new Set(toDeliver.flat().map(({ index }) => index));
  // The service takes every amount as ₮, whatever a mapping says.
  const currencies = decided.filter(({ index }) =>
    findUnread(header, [index]).some(({ role }) => role === 'currency'),
  );
  return {
    used,
    namedByFlags: new Set(flags.flatMap(({ rule: found }) => found.flat().map(({ index }) => index))),
    problems,
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
      ...(payment === undefined ? {} : { payment }),
      ...(sums === undefined ? {} : { sums }),
    },
  };
}

const families: readonly (readonly RuleKey[])[] = [
  ['leave_out', 'to_deliver', 'partly_fulfilled'],
  ['leave_out_lines'],
  ['paid', 'partly_paid', 'open', 'on_delivery'],
];

/** Keys whose rules give each value one meaning. */
function familyOf(key: RuleKey): number {
  return families.findIndex((keys) => keys.includes(key));
}

/** The conditions of the user's own mapping, by family. Its headers are checked where its rules are read. */
function ownValues(header: Header, map: MappingFile | undefined): ReadonlyMap<number, readonly Condition[]> {
  const lookup: Lookup = { header, isPreset: true, problems: [] };
  return new Map(
    families.map((keys, family) => {
      const rules = keys.flatMap((key) => {
        const isByReason = key === 'leave_out' || key === 'leave_out_lines';
        return isByReason ? Object.values(map?.[key] ?? {}) : [map?.[key]];
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
