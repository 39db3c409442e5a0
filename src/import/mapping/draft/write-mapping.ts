import { formatFieldPath, unsafeNames } from '../../../orders/field-path.ts';
import { isJsonObject, type Json, type JsonObject, writeJson } from '../../../orders/json.ts';
import { unpaidChoices } from '../../choices.ts';
import {
  columnAt,
  columnsNamed,
  createHeader,
  type Header,
  type NamedColumn,
  nameOf,
  noColumn,
} from '../../columns/header.ts';
import { foldHeader } from '../../columns/known-fields.ts';
import { isPaymentMeaning, meaningOfHeader } from '../../columns/meanings.ts';
import type { Problem } from '../../problem.ts';
import { columnIndex, type Table } from '../../read/read-table.ts';
import { withRead } from '../../read/settings.ts';
import { type Decision, decisions, verdict } from '../../words/verdict.ts';
import { foldCell } from '../conditions.ts';
import type { MappingFile } from '../language.ts';
import { parcel } from '../lines.ts';
import { parseMappingFile } from '../mapping-file.ts';
import {
  choicesIn,
  columnMark,
  columnsOffered,
  entryOf,
  isMark,
  listIn,
  type Mark,
  markOf,
  marksIn,
  objectIn,
  provenMark,
  withFirstChoices,
  withNoColumns,
  withoutMarks,
} from '../marks.ts';
import { reasonOfText } from '../rules.ts';
import { mapTable } from '../shops/presets.ts';
import { mayMatter } from './may-matter.ts';
import type {
  FieldProposal,
  GivenMapping,
  LinesProposal,
  ProfiledTable,
  Proposal,
  ValueProposal,
} from './proposal.ts';
import { isLineField } from './propose-fields.ts';
import { isOpen, proposeMapping } from './propose-mapping.ts';

/** A mapping file, perhaps with open questions. */
export interface Draft {
  mapping: JsonObject;
  /** In the order in which they are asked. */
  marks: readonly Mark[];
}

/** What a draft is written from: the answers, as a mapping that may have marks, and how they are read. */
interface DraftSource {
  table: ProfiledTable;
  given: JsonObject;
  /** The flags, with what a mapping without marks adds to them. */
  optionsWith(map: MappingFile | undefined): Omit<GivenMapping, 'mapped' | 'shop'>;
}

/** What is given, and what its columns and values say; for a shop's export, only what the preset does not know. */
export function draftMapping({ table, given, optionsWith }: DraftSource): Draft & { proposal: Proposal } {
  const read = (mapping: JsonObject): GivenMapping => {
    const decided = withoutMarks(mapping);
    const hasAny = Object.keys(decided).length > 0;
    const options = optionsWith(hasAny ? parseMappingFile(writeJson(decided), 'the mapping') : undefined);
    return { ...options, ...mapTable(table.header, options) };
  };
  const known = read(given);
  const proposal = proposeMapping(table, known);
  const mapping = writeMapping(proposal, given, known);
  const header = createHeader(table.header);
  const refused = refusedColumns(header, known);
  const unused = read(withFirstChoices(mapping)).mapped.ignored.map(({ index }) => nameOf(header, index));
  const said = textsIn(mapping, 'ignore').flatMap((name) =>
    refused.has(name) ? (unused.includes(name) ? [markOf([name])] : []) : [name],
  );
  const left = ignoredIn(table, header, mapping, read);
  const anyway = left.filter((name) => refused.has(name));
  const ignore = [...said, ...left.filter((name) => !refused.has(name))];
  const whole = withoutEmpty({
    ...mapping,
    ignore: [...new Set(ignore)],
    ignore_anyway: [...new Set([...textsIn(mapping, 'ignore_anyway'), ...anyway])],
  });
  return { mapping: whole, marks: marksIn(whole).toSorted(inOrder), proposal };
}

/** Columns that must not go unread unless a person sees what is sent without them. */
export function refusedColumns(
  header: Header,
  { problems = [] }: Pick<GivenMapping, 'problems'>,
): Map<string, Problem> {
  return new Map(
    problems.flatMap(({ first }) =>
      first.code === 'column_unread' && first.column !== undefined
        ? [[nameOf(header, columnIndex(first.column)), first] as const]
        : [],
    ),
  );
}

/** What flags and a mapping file say about a file, and how it was read. */
export function givenMapping(
  table: Pick<Table, 'reading'>,
  { map, ignoreColumn = [] }: Pick<GivenMapping, 'map' | 'ignoreColumn'>,
): JsonObject {
  const given = withRead(map === undefined ? {} : jsonOf(map), table);
  const anyway = [...new Set([...textsIn(given, 'ignore_anyway'), ...ignoreColumn])];
  return anyway.length === 0 ? given : { ...given, ignore_anyway: anyway };
}

/**
 * Questions about the columns that nothing reads when the others are answered; and, without a question, those that one of
 * the others offers and that mean nothing else when they are not chosen.
 */
function ignoredIn(
  table: ProfiledTable,
  header: Header,
  mapping: JsonObject,
  read: (mapping: JsonObject) => GivenMapping,
): string[] {
  const { profiles } = table;
  const indexesIn = (marks: readonly Mark[]) =>
    columnsOffered(marks).flatMap((name) => columnsNamed(header, name));
  const marks = marksIn(mapping);
  const offered = indexesIn(marks);
  const isAlone = (mark: Mark) => columnsOffered([mark]).length === 1;
  // Another amount may be what is paid; but the best guess is not asked about twice.
  const amounts = marks.filter(isOfAmounts).map((mark) => ({ ...mark, choices: mark.choices.slice(0, 1) }));
  const alone = new Set(
    indexesIn([...marks.filter((mark) => isAlone(mark) || isOfPhones(mark)), ...amounts]),
  );
  const isSaid = (index: number) =>
    offered.includes(index) && (alone.has(index) || !mayMatter(columnAt(header, index), table, mapping));
  const known = read(withFirstChoices(mapping));
  const { undecided } = known.mapped;
  const whenNone =
    offered.length === 0 ? [] : read(withFirstChoices(withNoColumns(mapping))).mapped.undecided;
  const left = [...undecided, ...whenNone.filter((index) => offered.includes(index))];
  const mayBeOpen = isOpen(header, known);
  return [...new Set(left)]
    .toSorted((one, other) => one - other)
    .filter((index) => mayBeOpen(index) && (profiles[index]?.filled ?? 0) > 0)
    .map((index) => {
      const name = nameOf(header, index);
      if (isSaid(index)) return name;
      return mayMatter({ index, header: name }, table, mapping) ? markOf([name]) : provenMark([name]);
    });
}

/** Of several phones one is chosen: the others do not matter. */
export function isOfPhones({ path: [, name] }: Mark): boolean {
  return name === 'customer.phone';
}

export function isOfAmounts({ path: [key, name] }: Mark): boolean {
  return key === 'amount_due' || name === 'total';
}

const order =
  'columns constants lines on_delivery to_deliver values amount_due unpaid date_order ignore'.split(' ');

/** The total is needed only for some answers about who pays. */
function inOrder(left: Mark, right: Mark): number {
  const rank = ({ path: [key = '', field] }: Mark) =>
    key === 'columns' && field === 'total' ? order.indexOf('amount_due') : order.indexOf(key);
  return rank(left) - rank(right);
}

function writeMapping(proposal: Proposal, given: JsonObject, known: GivenMapping): JsonObject {
  const columns: JsonObject = { ...objectIn(given, 'columns') };
  const constants: JsonObject = { ...constantsOf(known) };
  const lines = given.lines ?? linesOf(proposal);
  const readsLines = lines !== undefined && lines !== noColumn;
  const isRead = (field: string) => readsLines && field.startsWith('items[') && !isBeside(field, lines);
  for (const field of Object.keys(columns)) if (isRead(field)) delete columns[field];
  for (const field of proposal.fields) {
    if (isRead(field.field)) continue;
    if (isLineField(field)) {
      // Beside lines that a column may hold, it would take their place.
      if (!readsLines) constants.items ??= [{ name: markOf([parcel]) }];
      continue;
    }
    if (Object.hasOwn(columns, field.field) || (field.isMapped && known.shop !== undefined)) continue;
    const mapped = columnOf(field);
    if (mapped !== undefined) columns[field.field] = mapped;
  }
  const rules: JsonObject = {};
  const values: JsonObject = { ...objectIn(given, 'values') };
  const payments = proposal.values.filter(isPayment).length;
  const hasMode = columns.collectionMode !== undefined || constants.collectionMode !== undefined;
  for (const value of proposal.values) {
    const { header } = value;
    const isRuled =
      (known.shop !== undefined && value.meaning !== 'note') ||
      known.mapped.rules.states.some(({ index }) => index === value.index);
    if (isRuled && !Object.hasOwn(values, header)) addRules(rules, given, value);
    else if (!hasMode || !saysOnlyWhoPays(value)) {
      const listed = objectIn(values, header);
      values[header] = { ...listed, ...valuesOf(value, choicesFor(value, payments), listed) };
    }
  }
  const draft = {
    ...given,
    columns,
    ...(lines === undefined ? {} : { lines }),
    constants,
    values: inOrderOf(proposal.values, values),
    ...rules,
  };
  addCollection(draft, proposal, known);
  addSums(draft, proposal);
  if (known.shop === undefined) addLeftOut(draft, known);
  addPrefix(columns, known);
  const hasProblem = (isMeant: (code: string) => boolean) =>
    known.problems?.some(({ first: { code } }) => isMeant(code)) ?? false;
  const isOpenPayment = hasProblem((code) => code === 'payment_open');
  const unpaid = known.unpaid ?? (isOpenPayment ? markOf(unpaidChoices) : undefined);
  return withoutEmpty({ ...draft, date_order: proposal.dateOrder, unpaid });
}

/** Of phones that lack their +, and of order IDs that only count the rows; and which of two phones in a cell is meant. */
function addPrefix(columns: JsonObject, { idPrefix, problems = [] }: GivenMapping): void {
  const { externalOrderId: entry, 'customer.phone': phone } = columns;
  const plus = problems.flatMap(({ first: { prefix } }) => prefix ?? []);
  if (plus.length > 0 && phone !== undefined && entryOf(phone).prefix === undefined)
    columns['customer.phone'] = { prefix: markOf([...plus.slice(0, 1), noColumn]), ...entryOf(phone) };
  const areSeveral = problems.some(({ first: { mayPick } }) => mayPick);
  if (areSeveral && phone !== undefined && !isMark(phone))
    columns['customer.phone'] = { pick: markOf(['first', 'last', noColumn]), ...entryOf(phone) };
  const counted = problems.find(({ first: { code } }) => code === 'ids_count_up')?.first;
  const [, proposed = ''] = counted?.cures?.[0] ?? [];
  const prefix = idPrefix ?? (counted === undefined ? undefined : provenMark([proposed, noColumn]));
  if (prefix === undefined || entry === undefined || isMark(entry)) return;
  columns.externalOrderId = { prefix, ...entryOf(entry) };
}

/** What the first column says of an order holds, so that columns keep their order whichever is answered first. */
function inOrderOf(columns: readonly NamedColumn[], values: JsonObject): JsonObject {
  const names = namesOf(columns);
  const rank = (name: string) => (names.indexOf(name) + names.length + 1) % (names.length + 1);
  return Object.fromEntries(Object.entries(values).toSorted(([left], [right]) => rank(left) - rank(right)));
}

function withoutEmpty(members: Record<string, Json | undefined>): JsonObject {
  const isEmpty = (value: Json | undefined) =>
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value))) as JsonObject;
}

/** Whether a column fills a field of lines of which each cell holds one. */
function isBeside(field: string, lines: Json): boolean {
  if (!isJsonObject(lines) || lines.between !== undefined || lines.form === undefined) return false;
  const isText = field === 'items[].sku' || field === 'items[].name';
  return isText && [lines.form].flat().every((form) => !String(form).includes(`{${field}}`));
}

/** How lines in one row are read; the form is a question where it is in doubt. */
function linesOf({ lines }: Proposal): JsonObject | undefined {
  const [first] = lines?.choices ?? [];
  if (lines === undefined || first === undefined) return undefined;
  if (lines.isSettled) return first.lines;
  if (isJsonObject(first.lines.wide ?? null)) return { wide: wideOf(lines.choices) };
  const forms = lines.choices.map(({ lines: { form } }) => form);
  const [best] = forms;
  // A list of forms, and keys, have no other choice in one text.
  if (Array.isArray(best)) return { ...first.lines, form: [markOf([String(best[0])]), ...best.slice(1)] };
  if (best === undefined) return { ...first.lines, from: markOf([first.name]) };
  return { ...first.lines, form: markOf([...new Set(forms.filter((form) => typeof form === 'string'))]) };
}

/** What the choices read alike, and questions where they differ. */
function wideOf(choices: LinesProposal['choices']): JsonObject {
  const all = choices.map(({ lines }) => objectIn(lines, 'wide'));
  const [first = {}, ...others] = all;
  const isAlike = (pattern: string) => others.every((wide) => wide[pattern] === first[pattern]);
  const hasOpen = Object.keys(first).some((pattern) => !isAlike(pattern));
  return Object.fromEntries(
    Object.entries(first).map(([pattern, target]) => {
      const targets = all.map((wide) => wide[pattern] ?? '').filter((text) => text !== '');
      return [pattern, hasOpen && isAlike(pattern) ? target : markOf([...new Set(targets.map(String))])];
    }),
  );
}

function jsonOf({ constants, ...mapping }: MappingFile): JsonObject {
  const { ignore, ignore_anyway: anyway, columns, ...others } = mapping;
  const written = {
    ...(Object.keys(columns).length > 0 ? { columns } : {}),
    ...(constants.length > 0 ? { constants: constantsOf({ constants }) } : {}),
    ...others,
    ...(ignore.length > 0 ? { ignore } : {}),
    ...(anyway.length > 0 ? { ignore_anyway: anyway } : {}),
  };
  return JSON.parse(JSON.stringify(written)) as JsonObject;
}

function constantsOf({ constants = [] }: Pick<GivenMapping, 'constants'>): JsonObject {
  return Object.fromEntries(constants.map(({ path, value }) => [formatFieldPath(path), value]));
}

/** The entry for a field in `columns`: its column, or a question. */
function columnOf({ field, settled, isNeeded, guesses, minus = [] }: FieldProposal): Json | undefined {
  const less = (from: string): Json => (minus.length === 0 ? from : { from, minus: namesOf(minus) });
  const names = namesOf(settled);
  const [name] = names;
  if (name === undefined) {
    const choices = namesOf(guesses);
    return isNeeded ? less(field === 'externalOrderId' ? markOf(choices) : columnMark(choices)) : undefined;
  }
  return names.length === 1 ? less(name) : { from: names, join: field === 'customer.name' ? ' ' : ', ' };
}

const ruleOf: Record<Decision, { payment: string; state: string }> = {
  collect: { payment: 'on_delivery', state: 'to_deliver' },
  prepaid: { payment: 'paid', state: 'to_deliver' },
  deliver: { payment: 'open', state: 'to_deliver' },
  leave_out: { payment: 'leave_out', state: 'leave_out' },
};

/** For a shop's export, and rules of a mapping file: the values that they do not know. */
function addRules(rules: JsonObject, given: JsonObject, value: ValueProposal): void {
  const key = ruleOf[isPayment(value) ? 'collect' : 'deliver'][isPayment(value) ? 'payment' : 'state'];
  const { header } = value;
  const decided = new Set(ruledTexts(given, header));
  const open = value.values.filter(({ text }) => !decided.has(text));
  if (open.length === 0) return;
  const before = listIn(Object.hasOwn(rules, key) ? rules : given, key);
  rules[key] = [...before, ...open.map(({ text }) => ({ [header]: markOf([text]) }))];
}

/** The texts of a column that rules of the mapping decide about. */
function ruledTexts(given: JsonObject, header: string): Json[] {
  const keys = [...new Set(Object.values(ruleOf).flatMap(({ payment, state }) => [payment, state]))];
  const conditions = keys.flatMap((key) =>
    key === 'leave_out' ? listIn(objectIn(given, key), 'rule') : listIn(given, key),
  );
  return conditions.flatMap((condition) => listIn(isJsonObject(condition) ? condition : {}, header));
}

/** The mapping with what a value of a shop's export means. */
export function withRule(
  given: JsonObject,
  {
    header,
    text,
    decision,
    isPayment: isOfPayment,
  }: { header: string; text: string; decision: Decision; isPayment: boolean },
): JsonObject {
  const key = ruleOf[decision][isOfPayment ? 'payment' : 'state'];
  const condition = { [header]: text };
  if (key !== 'leave_out') return { ...given, [key]: [...listIn(given, key), condition] };
  const reasons = objectIn(given, key);
  return { ...given, [key]: { ...reasons, rule: [...listIn(reasons, 'rule'), condition] } };
}

/** `--leave-out` of columns whose values are not listed. */
function addLeftOut(draft: JsonObject, { leaveOut = [] }: GivenMapping): void {
  const listed = Object.keys(objectIn(draft, 'values')).map(foldHeader);
  const reasons: JsonObject = { ...objectIn(draft, 'leave_out') };
  for (const { header, value } of leaveOut.filter((flag) => !listed.includes(foldHeader(flag.header)))) {
    const reason = reasonOfText(header, value, 'rule');
    reasons[reason] = [...listIn(reasons, reason), { [header]: value }];
  }
  if (Object.keys(reasons).length > 0) draft.leave_out = reasons;
}

/** Such a column is not asked when something else says what the courier collects. */
function saysOnlyWhoPays({ meaning, values }: ValueProposal): boolean {
  const saysOther = values.some(({ decision }) => decision === 'leave_out');
  return isPaymentMeaning(meaning) && meaning !== 'state_or_payment' && !saysOther;
}

const isPayment = ({ meaning }: ValueProposal) => isPaymentMeaning(meaning);

/** `deliver` leaves the payment to another column. */
function choicesFor(value: ValueProposal, payments: number): Decision[] {
  if (!isPayment(value)) return ['deliver', 'leave_out'];
  const mayLeaveOpen = payments > 1 || value.meaning === 'state_or_payment';
  return mayLeaveOpen ? [...decisions] : ['collect', 'prepaid', 'leave_out'];
}

function valuesOf({ values }: ValueProposal, choices: readonly Decision[], listed: JsonObject): JsonObject {
  const known = new Set(Object.keys(listed).map(foldCell));
  const isNew = ({ text }: { text: string }) =>
    !known.has(foldCell(text)) && (text === '' || !known.has('*')) && !unsafeNames.has(text);
  return Object.fromEntries(
    values.filter(isNew).map(({ text, decision, isCertain }) => {
      const isBest = (choice: Decision) => Number(choice === decision);
      const sorted = choices.toSorted((left, right) => isBest(right) - isBest(left));
      return [text, isCertain && decision !== undefined ? decision : markOf(sorted)];
    }),
  );
}

/** Who pays and how much: by values, an amount due, or else what a person says of every order. */
function addCollection(draft: JsonObject, proposal: Proposal, { mapped, map, shop }: GivenMapping): void {
  const hasRules = paymentRules.some((key) => map?.[key] !== undefined);
  if (hasRules || (shop !== undefined && mapped.rules.payment !== undefined)) return;
  const columns = objectIn(draft, 'columns');
  const constants = objectIn(draft, 'constants');
  const { amounts, mode, paid } = proposal;
  const collects = mayCollect(objectIn(draft, 'values'));
  // Beside a column that says who pays, an amount of every order is what the order costs.
  const dues = amounts.filter(({ isDue, isOfEvery }) => isDue && !(isOfEvery && collects !== undefined));
  const isSaid = constants.collectionMode !== undefined || columns.collectionMode !== undefined;
  if (paid.length > 0 && constants.collectionMode !== 'NONE') draft.amount_paid ??= namesOf(paid);
  if (!isSaid && columns.collectionAmount !== undefined) {
    draft.amount_due ??= columns.collectionAmount;
    delete columns.collectionAmount;
  }
  if (!isSaid && collects === undefined && draft.amount_due === undefined) {
    const [due, other] = dues;
    if (mode !== undefined) columns.collectionMode = mode.header;
    else if (due !== undefined && other === undefined && saysDue(due.header)) draft.amount_due = due.header;
    else draft.amount_due = columnMark(namesOf(amounts));
    // What is paid is subtracted from a total alone.
    const [amount, ...more] = amounts;
    if (paid.length > 0 && amount !== undefined && more.length === 0 && !amount.isDue)
      columns.total ??= amount.header;
  }
  const isCollected =
    collects || columns.collectionMode !== undefined || constants.collectionMode === 'COLLECT';
  const known = [draft.amount_due, columns.total, columns.collectionAmount];
  if (!isCollected || known.some((name) => name !== undefined)) return;
  const [only, other] = namesOf(dues);
  if (only !== undefined) draft.amount_due = other === undefined ? only : markOf(namesOf(dues));
  else if (amounts.length > 0) columns.total = markOf(namesOf(amounts));
}

/** Amounts of lines are added up; that it is so is asked. */
function addSums(draft: JsonObject, { amounts }: Proposal): void {
  const columns = objectIn(draft, 'columns');
  const isOfLine = (name: string) => amounts.some((amount) => amount.header === name && amount.isOfLine);
  const { total = draft.amount_due } = columns;
  if (typeof total !== 'string') return;
  const names = isMark(total) ? choicesIn(total) : [total];
  const isMeant = isOfLine(names[0] ?? '');
  if (total === draft.amount_due) {
    if (!isMark(total) && isMeant) columns.total = { from: markOf([total]), sum: true };
  } else if (isMeant) columns.total = { from: markOf(names.filter(isOfLine)), sum: true };
  else if (isMark(total)) columns.total = markOf(names.filter((name) => !isOfLine(name)));
}

/** `Balance`, `COD`, but not `Payment`, which may hold what is paid. */
function saysDue(header: string): boolean {
  return (
    meaningOfHeader(header) === 'amount_due' || verdict('payment_method', 'yes', header) === 'on_delivery'
  );
}

const paymentRules = ['paid', 'partly_paid', 'open', 'on_delivery', 'payment_method'] as const;

/** Whether values say that the courier collects, or may say so; undefined when none is about the payment. */
function mayCollect(values: JsonObject): boolean | undefined {
  const all = Object.values(values).flatMap((listed) => (isJsonObject(listed) ? Object.values(listed) : []));
  const ofPayment = all.filter((value) => {
    const choices = isMark(value) ? choicesIn(value) : [String(value)];
    return choices.includes('collect') || choices.includes('prepaid');
  });
  if (ofPayment.length === 0) return undefined;
  return ofPayment.some((value) => value !== 'prepaid');
}

function namesOf(columns: readonly NamedColumn[]): string[] {
  return columns.map(({ header }) => header);
}

function textsIn(base: JsonObject, key: string): string[] {
  return listIn(base, key).filter((item): item is string => typeof item === 'string');
}
