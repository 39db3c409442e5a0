import { formatFieldPath } from '../../../orders/field-path.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../orders/json.ts';
import { decimalMarks, unpaidChoices } from '../../choices.ts';
import { isAmbiguousAmount } from '../../problem.ts';
import { type Decision, decisions } from '../../words/verdict.ts';
import { foldCell } from '../conditions.ts';
import type { NamedColumn } from '../header.ts';
import type { MappingFile } from '../language.ts';
import { questionsIn } from '../mapping-file.ts';
import { isPaymentMeaning, isPaymentOnly } from '../meanings.ts';
import type {
  CollectionWay,
  FieldProposal,
  GivenMapping,
  MappingAnswers,
  Proposal,
  ProposedValue,
  ValueProposal,
  WrittenMapping,
} from './proposal.ts';
import { isDue } from './propose-collection.ts';

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
      for (const { header } of field.guesses) if (field.isMapped && header !== lines.from) ignore.add(header);
      continue;
    }
    if (Object.hasOwn(columns, field.field) || (field.isMapped && known.shop !== undefined)) continue;
    const mapped = columnOf(field, answers);
    if (mapped !== undefined) columns[field.field] = mapped;
    else if (isDeclined(field, answers)) for (const { header } of field.guesses) ignore.add(header);
  }
  const constants: JsonObject = { ...constantsOf(known) };
  const rules: JsonObject = {};
  const values: JsonObject = { ...objectIn(base, 'values') };
  const payments = proposal.values.filter(isPayment).length;
  for (const value of proposal.values) {
    const { header } = value;
    const decided = answers.values.get(header);
    if (known.shop !== undefined && !Object.hasOwn(values, header)) addRules(rules, base, value, decided);
    else if (isUnasked(value, way)) ignore.add(header);
    else {
      const listed = objectIn(values, header);
      const choices = choicesFor(value, payments);
      values[header] = { ...listed, ...valuesOf(value.values, decided, choices, listed) };
    }
  }
  addCollection({ columns, constants, rules, ignore }, proposal, answers, way);
  const isOpen = known.decimal === undefined && known.problems?.some(({ first }) => isAmbiguousAmount(first));
  const decimal = answers.decimal ?? proposal.decimal ?? (isOpen ? question(decimalMarks) : undefined);
  const dateOrder = answers.dateOrder ?? proposal.dateOrder;
  const hasOpen = known.problems?.some(({ first }) => first.code === 'payment_open') ?? false;
  const unpaid = answers.unpaid ?? known.unpaid ?? (hasOpen ? question(unpaidChoices) : undefined);
  const found = { columns, lines, constants, values, ...rules, unpaid, ignore: [...ignore] };
  const mapping = { ...base, ...withoutEmpty({ ...found, decimal, date_order: dateOrder }) };
  return { mapping, questions: questionsIn(mapping).length };
}

function withoutEmpty(members: Record<string, Json | undefined>): JsonObject {
  const isEmpty = (value: Json | undefined) =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))) as JsonObject;
}

/** How lines in one row are read; the form is a question where it is in doubt. */
function linesOf({ lines }: Proposal, { lines: answer }: MappingAnswers): JsonObject | undefined {
  if (answer === 'none' || lines === undefined) return undefined;
  const [first] = lines.choices;
  if (answer !== undefined || lines.isSettled) return (answer ?? first)?.lines;
  const forms = lines.choices.map(({ lines: { form } }) => form);
  const [best] = forms;
  // A list of forms, and keys, have no other choice in one text.
  if (Array.isArray(best)) return { ...first?.lines, form: [`? ${best[0]}`, ...best.slice(1)] };
  if (best === undefined) return { ...first?.lines, from: question([first?.name ?? '']) };
  return { ...first?.lines, form: question([...new Set(forms.filter((form) => typeof form === 'string'))]) };
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
function columnOf(
  { field, settled, isNeeded, guesses, minus = [] }: FieldProposal,
  answers: MappingAnswers,
): Json | undefined {
  const less = (from: string): Json => (minus[0] === undefined ? from : { from, minus: minus[0].header });
  const names = namesOf(settled);
  const [name] = names;
  const answer = answers.columns.has(field) ? answers.columns.get(field) : name;
  if (answer !== name) return answer === undefined ? undefined : less(answer);
  if (name === undefined)
    return isNeeded && !answers.columns.has(field) ? question(namesOf(guesses)) : undefined;
  return names.length === 1 ? less(name) : { from: names, join: field === 'customer.name' ? ' ' : ', ' };
}

/** Without the columns of such a field the user would be asked about them again. */
function isDeclined({ field, isNeeded }: FieldProposal, { columns }: MappingAnswers): boolean {
  return isNeeded && columns.has(field);
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
    const condition = { [value.header]: answer === undefined ? question([text]) : text };
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
  const saysOther = value.values.some(({ decision }) => decision === 'leave_out');
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
      .map(({ text, decision, isCertain }) => {
        const answer = answers?.get(text) ?? (isCertain ? decision : undefined);
        const isBest = (choice: Decision) => Number(choice === decision);
        return [text, answer ?? question(choices.toSorted((left, right) => isBest(right) - isBest(left)))];
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
      for (const amount of proposal.amounts) if (isDue(proposal, amount)) ignore.add(amount.header);
      for (const { header } of proposal.paid ?? []) ignore.add(header);
      return;
    case 'mode':
      columns.collectionMode = way.column.header;
      addAmount({ columns, constants, rules, ignore }, proposal, answers);
      return;
    case 'amount': {
      const when = { [way.column.header]: { above_zero: true } };
      columns.collectionMode = { when, default: 'COLLECT', else: 'NONE' };
      columns.collectionAmount = { from: way.column.header, when };
      return;
    }
    case 'collect_all':
      constants.collectionMode = 'COLLECT';
      columns.collectionAmount = answers.amount ?? way.column?.header ?? question([]);
      if (columns.total === columns.collectionAmount) delete columns.total;
      return;
    case 'values':
      addAmount({ columns, constants, rules, ignore }, proposal, answers);
  }
}

/** The amount to collect: the amount due, else the total. */
function addAmount({ columns, rules }: Draft, proposal: Proposal, { amount, values }: MappingAnswers): void {
  if (proposal.paid !== undefined) rules.amount_paid = namesOf(proposal.paid);
  const chosen = proposal.amounts.find(({ header }) => header === amount);
  if (chosen !== undefined) {
    if (isDue(proposal, chosen)) rules.amount_due = chosen.header;
    else columns.total = chosen.header;
    return;
  }
  const mayCollect = proposal.values.some(({ header, values: all }) =>
    all.some(({ text, decision, isCertain }) => {
      const answer = values.get(header)?.get(text) ?? decision;
      return answer === 'collect' || (answer === undefined && !isCertain);
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
  if (due !== undefined) rules.amount_due = dues.length === 1 ? due.header : question(namesOf(dues));
  else if (proposal.amounts.length > 0) columns.total = question(namesOf(proposal.amounts));
}

const itemFields = (columns: JsonObject) => Object.keys(columns).filter((key) => key.startsWith('items['));

function namesOf(columns: readonly NamedColumn[]): string[] {
  return columns.map(({ header }) => header);
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
