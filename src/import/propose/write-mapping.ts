import { formatFieldPath } from '../../orders/field-path.ts';
import { isJsonObject, type Json, type JsonObject } from '../../orders/json.ts';
import { decimalMarks, unpaidChoices } from '../choices.ts';
import { foldCell } from '../mapping/conditions.ts';
import type { MappingFile } from '../mapping/language.ts';
import { questionsIn } from '../mapping/mapping-file.ts';
import { isAmbiguousAmount } from '../problem.ts';
import { type Decision, decisions } from '../words/verdict.ts';
import type {
  CollectionWay,
  ColumnGuess,
  FieldProposal,
  GivenMapping,
  MappingAnswers,
  Proposal,
  ProposedValue,
  ValueProposal,
  WrittenMapping,
} from './proposal.ts';
import { isDue } from './propose-collection.ts';
import { isPaymentMeaning, isPaymentOnly } from './propose-values.ts';

export const noAnswers: MappingAnswers = { columns: new Map(), values: new Map() };

/**
 * The answers and the user's own mapping file. A question without an answer is written as `? A | B`, the best guess
 * first. For a shop's export, only what the preset does not know.
 */
export function writeMapping(
  proposal: Proposal,
  answers: MappingAnswers,
  known: GivenMapping,
): WrittenMapping {
  const base = known.map === undefined ? {} : jsonOf(known.map);
  const way = answers.collection ?? wayWithoutAsking(proposal);
  const columns: JsonObject = { ...objectIn(base, 'columns') };
  const ignore = new Set(textsIn(base, 'ignore'));
  for (const name of known.ignoreColumn ?? []) ignore.add(name);
  const lines = linesOf(proposal, answers);
  for (const field of lines === undefined ? [] : itemFields(columns)) delete columns[field];
  for (const field of proposal.fields) {
    if (lines !== undefined && field.field.startsWith('items[')) {
      for (const { name } of field.guesses) if (field.isMapped && name !== lines.from) ignore.add(name);
      continue;
    }
    if (Object.hasOwn(columns, field.field) || (field.isMapped && known.shop !== undefined)) continue;
    const mapped = columnOf(field, answers);
    if (mapped !== undefined) columns[field.field] = mapped;
    else for (const name of namesLeftOut(field, answers)) ignore.add(name);
  }
  const constants: JsonObject = { ...constantsOf(known) };
  const rules: JsonObject = {};
  const values: JsonObject = { ...objectIn(base, 'values') };
  const payments = proposal.values.filter(isPayment).length;
  const decided = (value: ValueProposal) => answers.values.get(value.column.name);
  for (const value of proposal.values) {
    if (known.shop !== undefined && !Object.hasOwn(values, value.column.name))
      addRules(rules, base, value, decided(value));
    else if (isUnasked(value, way)) ignore.add(value.column.name);
    else {
      const { name } = value.column;
      values[name] = {
        ...objectIn(values, name),
        ...valuesOf(value.values, decided(value), choicesFor(value, payments), objectIn(values, name)),
      };
    }
  }
  addCollection({ columns, constants, rules, ignore }, proposal, answers, way);
  const isOpen = known.decimal === undefined && known.problems?.some(({ first }) => isAmbiguousAmount(first));
  const decimal = answers.decimal ?? proposal.decimal ?? (isOpen ? question(decimalMarks) : undefined);
  const dateOrder = answers.dateOrder ?? proposal.dateOrder;
  const hasOpen = known.problems?.some(({ first }) => first.code === 'payment_open') ?? false;
  const unpaid = answers.unpaid ?? known.unpaid ?? (hasOpen ? question(unpaidChoices) : undefined);
  const mapping: JsonObject = {
    ...base,
    ...(Object.keys(columns).length > 0 ? { columns } : {}),
    ...(lines === undefined ? {} : { lines }),
    ...(Object.keys(constants).length > 0 ? { constants } : {}),
    ...(Object.keys(values).length > 0 ? { values } : {}),
    ...rules,
    ...(unpaid === undefined ? {} : { unpaid }),
    ...(ignore.size > 0 ? { ignore: [...ignore] } : {}),
    ...(decimal === undefined ? {} : { decimal }),
    ...(dateOrder === undefined ? {} : { date_order: dateOrder }),
  };
  return { mapping, questions: questionsIn(mapping).length };
}

/** How lines in one row are read; the form is a question where it is in doubt. */
function linesOf({ lines }: Proposal, { lines: answer }: MappingAnswers): JsonObject | undefined {
  if (answer === 'none' || lines === undefined) return undefined;
  const [first] = lines.choices;
  if (answer !== undefined || lines.isSettled) return (answer ?? first)?.lines;
  const formsOf = lines.choices.flatMap(({ lines: { form } }) => (typeof form === 'string' ? [form] : []));
  return { ...first?.lines, form: question([...new Set(formsOf)]) };
}

/** Only a person can say that every order is prepaid, or none, and which of several amounts is collected. */
function wayWithoutAsking({ collection }: Proposal): CollectionWay | undefined {
  const [first, second] = collection;
  if (first?.kind === 'amount') return second?.kind === 'amount' ? undefined : first;
  return first?.kind === 'prepaid' || first?.kind === 'collect_all' ? undefined : first;
}

function jsonOf({ constants, ...mapping }: MappingFile): JsonObject {
  const { ignore, columns, ...others } = mapping;
  return JSON.parse(
    JSON.stringify({
      ...(Object.keys(columns).length > 0 ? { columns } : {}),
      ...others,
      ...(ignore.length > 0 ? { ignore } : {}),
    }),
  ) as JsonObject;
}

function constantsOf({ constants = [] }: GivenMapping): JsonObject {
  return Object.fromEntries(constants.map(({ path, value }) => [formatFieldPath(path), value]));
}

/** The entry for a field in `columns`: its column, or a question when the import needs one. */
function columnOf(field: FieldProposal, { columns }: MappingAnswers): Json | undefined {
  if (columns.has(field.field)) {
    const name = columns.get(field.field);
    return name === field.settled?.name ? joinedColumn(field) : name;
  }
  if (field.settled !== undefined) return joinedColumn(field);
  return field.isNeeded ? question(field.guesses.map(({ name }) => name)) : undefined;
}

function joinedColumn({ field, settled, joined = [] }: FieldProposal): Json | undefined {
  if (settled === undefined || joined.length === 0) return settled?.name;
  return {
    from: [settled.name, ...joined.map(({ name }) => name)],
    join: field === 'customer.name' ? ' ' : ', ',
  };
}

/** The columns of a field that the user declined, which would be asked about again. */
function namesLeftOut({ field, isNeeded, guesses }: FieldProposal, { columns }: MappingAnswers): string[] {
  return isNeeded && columns.has(field) ? guesses.map(({ name }) => name) : [];
}

const ruleOf: Record<Decision, { payment: string; state: string }> = {
  collect: { payment: 'on_delivery', state: 'to_deliver' },
  prepaid: { payment: 'paid', state: 'to_deliver' },
  deliver: { payment: 'open', state: 'to_deliver' },
  leave_out: { payment: 'leave_out', state: 'leave_out' },
};

/** For a shop's export: the values that its preset does not know, by the rule for them. */
function addRules(
  rules: JsonObject,
  base: JsonObject,
  value: ValueProposal,
  answers: ReadonlyMap<string, Decision> | undefined,
): void {
  const kind = isPayment(value) ? 'payment' : 'state';
  for (const { text } of value.values) {
    const answer = answers?.get(text);
    const key = ruleOf[answer ?? (isPayment(value) ? 'collect' : 'deliver')][kind];
    const condition = { [value.column.name]: answer === undefined ? question([text]) : text };
    if (key === 'leave_out') {
      const reasons = objectIn(Object.hasOwn(rules, key) ? rules : base, key);
      rules.leave_out = { ...reasons, rule: [...listIn(reasons, 'rule'), condition] };
    } else rules[key] = [...listIn(Object.hasOwn(rules, key) ? rules : base, key), condition];
  }
}

function listIn(object: JsonObject, key: string): Json[] {
  const value = object[key];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Columns for the payment are not asked when something else says what the courier collects. */
function isUnasked(value: ValueProposal, way: CollectionWay | undefined): boolean {
  const saysOther = value.values.some(({ guess }) => guess === 'leave_out');
  const isOtherWay = way !== undefined && way.kind !== 'values' && way.kind !== 'settled';
  return isPaymentOnly(value.meaning) && !saysOther && isOtherWay;
}

const isPayment = ({ meaning }: ValueProposal) => isPaymentMeaning(meaning);

/** `deliver` leaves the payment to another column. */
function choicesFor(value: ValueProposal, payments: number): Decision[] {
  if (!isPayment(value)) return ['deliver', 'leave_out'];
  const mayLeaveOpen = payments > 1 || value.meaning === 'state_or_payment';
  return mayLeaveOpen ? [...decisions] : ['collect', 'prepaid', 'leave_out'];
}

function valuesOf(
  values: readonly ProposedValue[],
  answers: ReadonlyMap<string, Decision> | undefined,
  choices: readonly Decision[],
  listed: JsonObject,
): JsonObject {
  const known = new Set(Object.keys(listed).map(foldCell));
  const isNew = ({ text }: ProposedValue) => !known.has(foldCell(text)) && (text === '' || !known.has('*'));
  return Object.fromEntries(
    values
      .filter((value) => isNew(value) || answers?.has(value.text))
      .map(({ text, guess, isDecided }) => {
        const answer = answers?.get(text) ?? (isDecided ? guess : undefined);
        const sorted = choices.toSorted((left, right) => Number(right === guess) - Number(left === guess));
        return [text, answer ?? question(sorted)];
      }),
  );
}

interface Draft {
  columns: JsonObject;
  constants: JsonObject;
  rules: JsonObject;
  ignore: Set<string>;
}

function addCollection(
  { columns, constants, rules, ignore }: Draft,
  proposal: Proposal,
  answers: MappingAnswers,
  way: CollectionWay | undefined,
): void {
  switch (way?.kind) {
    case undefined:
      constants.collectionMode = question(['NONE', 'COLLECT']);
      return;
    case 'settled':
      return;
    case 'prepaid':
      constants.collectionMode = 'NONE';
      for (const amount of proposal.amounts) if (isDue(proposal, amount)) ignore.add(amount.name);
      for (const { name } of proposal.paid ?? []) ignore.add(name);
      return;
    case 'mode':
      columns.collectionMode = way.column.name;
      addAmount({ columns, constants, rules, ignore }, proposal, answers);
      return;
    case 'amount': {
      const when = { [way.column.name]: { above_zero: true } };
      columns.collectionMode = { when, default: 'COLLECT', else: 'NONE' };
      columns.collectionAmount = { from: way.column.name, when };
      return;
    }
    case 'collect_all':
      constants.collectionMode = 'COLLECT';
      columns.collectionAmount = answers.amount ?? way.amount?.name ?? question([]);
      if (columns.total === columns.collectionAmount) delete columns.total;
      return;
    case 'values':
      addAmount({ columns, constants, rules, ignore }, proposal, answers);
  }
}

/** The amount to collect: the amount due, else the total. */
function addAmount({ columns, rules }: Draft, proposal: Proposal, { amount, values }: MappingAnswers): void {
  if (proposal.paid !== undefined) rules.amount_paid = namesOf(proposal.paid);
  const chosen = proposal.amounts.find(({ name }) => name === amount);
  if (chosen !== undefined) {
    if (isDue(proposal, chosen)) rules.amount_due = chosen.name;
    else columns.total = chosen.name;
    return;
  }
  const mayCollect = proposal.values.some(({ column, values: all }) =>
    all.some(({ text, guess, isDecided }) => {
      const answer = values.get(column.name)?.get(text) ?? guess;
      return answer === 'collect' || (answer === undefined && !isDecided);
    }),
  );
  if (columns.collectionAmount !== undefined) {
    rules.amount_due = columns.collectionAmount;
    delete columns.collectionAmount;
    return;
  }
  if (!mayCollect || columns.total !== undefined) return;
  const dues = proposal.amounts.filter((guess) => isDue(proposal, guess));
  const [due] = dues;
  if (due !== undefined) rules.amount_due = dues.length === 1 ? due.name : question(namesOf(dues));
  else if (proposal.amounts.length > 0) columns.total = question(namesOf(proposal.amounts));
}

const itemFields = (columns: JsonObject) => Object.keys(columns).filter((key) => key.startsWith('items['));

function namesOf(guesses: readonly ColumnGuess[]): string[] {
  return guesses.map(({ name }) => name);
}

function question(choices: readonly string[]): string {
  return `? ${choices.slice(0, 5).join(' | ')}`.trimEnd();
}

function objectIn(base: JsonObject, key: string): JsonObject {
  const value = base[key];
  return isJsonObject(value) ? value : {};
}

function textsIn(base: JsonObject, key: string): string[] {
  const value = base[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
