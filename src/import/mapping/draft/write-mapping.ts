import { formatFieldPath, unsafeNames } from '../../../orders/field-path.ts';
import { isJsonObject, type Json, type JsonObject, writeJson } from '../../../orders/json.ts';
import { unpaidChoices } from '../../choices.ts';
import {
  columnAt,
  columnsNamed,
  createHeader,
  foldHeader,
  type Header,
  type NamedColumn,
  nameOf,
  noColumn,
} from '../../columns/header.ts';
import { roleOfHeader } from '../../columns/header-roles.ts';
import { roles } from '../../columns/roles.ts';
import type { Problem } from '../../problem.ts';
import { columnIndex, type Table } from '../../read/read-table.ts';
import { withRead } from '../../read/settings.ts';
import { type Decision, decisions, verdict } from '../../words/verdict.ts';
import { foldCell } from '../conditions.ts';
import { entryOf, listIn, objectIn } from '../entries.ts';
import type { MappingFile } from '../language.ts';
import { parcel } from '../lines.ts';
import { indexesOfUse } from '../mapping.ts';
import { parseMappingFile } from '../mapping-file.ts';
import { reasonOfText } from '../rules.ts';
import { mapTable } from '../shops/presets.ts';
import { mayMatter } from './may-matter.ts';
import {
  columnsOffered,
  type Draft,
  isAnswered,
  maxChoices,
  type Open,
  orNone,
  withFirstChoices,
  withNoColumns,
} from './open.ts';
import { inOrderOf } from './print-draft.ts';
import type {
  FieldProposal,
  GivenMapping,
  ProfiledTable,
  Proposal,
  ProposedValue,
  ValueProposal,
} from './proposal.ts';
import { isLineField } from './propose-fields.ts';
import { isOpen, proposeMapping } from './propose-mapping.ts';

/** What a draft is written from: the answers, as a mapping, what a person asked to decide, and how they are read. */
interface DraftSource {
  table: ProfiledTable;
  given: JsonObject;
  reopened?: readonly Open[];
  /** The flags, with what a mapping adds to them. */
  optionsWith(map: MappingFile | undefined): Omit<GivenMapping, 'mapped' | 'shop'>;
}

/** What is given, and what its columns and values say; for a shop's export, only what the preset does not know. */
export function draftMapping({
  table,
  given,
  reopened = [],
  optionsWith,
}: DraftSource): Draft & { proposal: Proposal } {
  const read = (mapping: JsonObject): GivenMapping => {
    const hasAny = Object.keys(mapping).length > 0;
    const options = optionsWith(hasAny ? parseMappingFile(writeJson(mapping), 'the mapping') : undefined);
    return { ...options, ...mapTable(table.header, options) };
  };
  const known = read(given);
  const proposal = proposeMapping(table, known);
  const draft = writeMapping(proposal, { mapping: given, open: reopened }, known);
  const { mapping } = draft;
  const header = createHeader(table.header);
  const refused = refusedColumns(header, known);
  const first = withFirstChoices(draft);
  const unused = indexesOfUse(read(first).mapped, 'ignored').map((index) => nameOf(header, index));
  const said = textsIn(mapping, 'ignore');
  const askedAgain = said.filter((name) => refused.has(name) && unused.includes(name));
  const unread = unreadIn(table, header, draft, read);
  const whole = withoutEmpty({
    ...mapping,
    ignore: [...new Set([...said, ...unread.settled].filter((name) => !refused.has(name)))],
    ignore_anyway: [
      ...new Set([
        ...textsIn(mapping, 'ignore_anyway'),
        ...unread.settled.filter((name) => refused.has(name)),
      ]),
    ],
  });
  const open = [
    ...draft.open,
    ...askedAgain.map((name): Open => ({ kind: 'ignore', choices: [name] })),
    ...unread.open,
  ];
  return { mapping: whole, open: open.toSorted(inOrder(proposal)), proposal };
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
 * The columns that nothing reads when the others are answered: those that are asked about, and those that one of the
 * others offers and that mean nothing else when they are not chosen.
 */
function unreadIn(
  table: ProfiledTable,
  header: Header,
  draft: Draft,
  read: (mapping: JsonObject) => GivenMapping,
): { settled: string[]; open: Open[] } {
  const { profiles } = table;
  const indexesIn = (open: readonly Open[]) =>
    columnsOffered(open).flatMap((name) => columnsNamed(header, name));
  const offered = indexesIn(draft.open);
  const isAlone = (open: Open) => columnsOffered([open]).length === 1;
  // Another amount may be what is paid; but the best guess is not asked about twice.
  const amounts = draft.open
    .filter(isOfAmounts)
    .map((open) => ({ ...open, choices: open.choices.slice(0, 1) }));
  const alone = new Set(
    indexesIn([...draft.open.filter((open) => isAlone(open) || isOfPhones(open)), ...amounts]),
  );
  const first = withFirstChoices(draft);
  const matters = (column: NamedColumn) => mayMatter(column, table, first);
  const isSettled = (index: number) =>
    offered.includes(index) && (alone.has(index) || !matters(columnAt(header, index)));
  const known = read(first);
  const whenNone = offered.length === 0 ? [] : indexesOfUse(read(withNoColumns(draft)).mapped, 'open');
  const mayBeOpen = isOpen(header, known);
  const left = [
    ...indexesOfUse(known.mapped, 'open'),
    ...whenNone.filter((index) => offered.includes(index)),
  ];
  const indexes = [...new Set(left)]
    .toSorted((one, other) => one - other)
    .filter((index) => mayBeOpen(index) && (profiles[index]?.filled ?? 0) > 0);
  const isAsked = (index: number) => !isSettled(index);
  return {
    settled: indexes.filter(isSettled).map((index) => nameOf(header, index)),
    open: indexes.filter(isAsked).map((index): Open => {
      const name = nameOf(header, index);
      return { kind: 'ignore', choices: [name], isProven: !matters({ index, header: name }) };
    }),
  };
}

/** Of several phones one is chosen: the others do not matter. */
export function isOfPhones(open: Open): boolean {
  return 'field' in open && open.field === 'customer.phone';
}

export function isOfAmounts(open: Open): boolean {
  return open.kind === 'amount_due' || isOfTotal(open);
}

function isOfTotal(open: Open): boolean {
  return open.kind === 'column' && open.field === 'total';
}

const order: readonly Open['kind'][] = [
  'column',
  'prefix',
  'pick',
  'items',
  'lines',
  'rule',
  'value',
  'amount_due',
  'unpaid',
  'ignore',
];

/** Who pays is asked before what is delivered, and the values of a column one after the other. */
function inOrder({ values }: Proposal): (left: Open, right: Open) => number {
  const names = namesOf(values);
  const rank = (open: Open) => order.indexOf(isOfTotal(open) ? 'amount_due' : open.kind);
  const place = (open: Open) => {
    if (open.kind === 'rule') return Number(open.key !== ruleOf.collect.payment);
    return open.kind === 'value' ? names.indexOf(open.header) : 0;
  };
  return (left, right) => rank(left) - rank(right) || place(left) - place(right);
}

function writeMapping(
  proposal: Proposal,
  { mapping: given, open: reopened }: Draft,
  known: GivenMapping,
): Draft {
  const open = reopened.filter((one) => !isAnswered(given, one));
  const isOpenField = (name: string) => open.some((one) => one.kind === 'column' && one.field === name);
  const columns: JsonObject = { ...objectIn(given, 'columns') };
  const constants: JsonObject = { ...constantsOf(known) };
  const isAsked = (kind: Open['kind']) => open.some((one) => one.kind === kind);
  if (given.lines === undefined && !isAsked('lines')) open.push(...openLines(proposal));
  const settledLines = given.lines ?? (isAsked('lines') ? undefined : proposal.lines?.choices[0]?.lines);
  const readings = settledLines === undefined ? open.flatMap(readingsOf) : [settledLines];
  const readsLines = readings.length > 0 && settledLines !== noColumn;
  const isRead = (field: string) =>
    readsLines && field.startsWith('items[') && !readings.every((lines) => isBeside(field, lines));
  for (const field of Object.keys(columns)) if (isRead(field)) delete columns[field];
  for (const field of proposal.fields) {
    if (isRead(field.field)) continue;
    if (isLineField(field)) {
      // Beside lines that a column may hold, it would take their place.
      if (!readsLines && constants.items === undefined) open.push({ kind: 'items', choices: [parcel] });
      continue;
    }
    const isKnown = Object.hasOwn(columns, field.field) || isOpenField(field.field);
    if (isKnown || (field.isMapped && known.shop !== undefined)) continue;
    const mapped = columnOf(field);
    if (mapped !== undefined) columns[field.field] = mapped;
    else if (field.isNeeded) open.push(openColumn(field));
  }
  const values: JsonObject = { ...objectIn(given, 'values') };
  const payments = proposal.values.filter(isPayment).length;
  const hasMode =
    columns.collectionMode !== undefined ||
    isOpenField('collectionMode') ||
    constants.collectionMode !== undefined;
  for (const value of proposal.values) {
    const { header } = value;
    // A note is sent, whatever one of its texts means.
    if (value.role === 'note' && known.shop === undefined) columns[noteField] ??= header;
    const isRuled =
      (known.shop !== undefined && value.role !== 'note') ||
      known.mapped.rules.states.some(({ index }) => index === value.index);
    const isListed =
      Object.hasOwn(values, header) || open.some((one) => one.kind === 'value' && one.header === header);
    if (isRuled && !isListed) open.push(...openRules(given, value));
    else if (!hasMode || !saysOnlyWhoPays(value)) {
      const listed = objectIn(values, header);
      const isNew = isNewIn(listed, open, header);
      const certain = value.values.flatMap(({ text, decision, isCertain }) =>
        isNew(text) && isCertain && decision !== undefined ? [[text, decision]] : [],
      );
      if (certain.length > 0) values[header] = { ...listed, ...Object.fromEntries(certain) };
      open.push(...openValues(value, choicesFor(value, payments), isNew));
    }
  }
  const mapping: JsonObject = {
    ...given,
    columns,
    ...(settledLines === undefined ? {} : { lines: settledLines }),
    constants,
    values: inOrderOf(proposal.values, values),
  };
  const draft = { mapping, open };
  addCollection(draft, proposal, known);
  addSums(draft, proposal);
  if (known.shop === undefined) addLeftOut(mapping, known);
  addDetails(draft, known);
  const isOpenPayment = known.problems?.some(({ first: { code } }) => code === 'payment_open');
  if (known.unpaid === undefined && isOpenPayment && !isAsked('unpaid'))
    open.push({ kind: 'unpaid', choices: unpaidChoices });
  return {
    mapping: withoutEmpty({ ...mapping, date_order: proposal.dateOrder, unpaid: known.unpaid }),
    open,
  };
}

/** Of phones that lack their +, and of order IDs that only count the rows; and which of two phones in a cell is meant. */
function addDetails({ mapping, open }: OpenMapping, { idPrefix, problems = [] }: GivenMapping): void {
  const columns = objectIn(mapping, 'columns');
  const { externalOrderId: entry, 'customer.phone': phone } = columns;
  const ofPhone = { field: 'customer.phone' } as const;
  const plus = problems.flatMap(({ first: { prefix } }) => prefix ?? []);
  if (plus.length > 0 && phone !== undefined && entryOf(phone).prefix === undefined)
    open.push({ kind: 'prefix', ...ofPhone, choices: orNone(plus.slice(0, 1)) });
  if (
    phone !== undefined &&
    problems.some(({ first: { mayPick } }) => mayPick) &&
    entryOf(phone).pick === undefined
  )
    open.push({ kind: 'pick', ...ofPhone, choices: ['first', 'last', noColumn] });
  const counted = problems.find(({ first: { code } }) => code === 'ids_count_up')?.first;
  if (entry === undefined || entryOf(entry).prefix !== undefined) return;
  if (idPrefix !== undefined) columns.externalOrderId = { prefix: idPrefix, ...entryOf(entry) };
  else if (counted !== undefined) {
    const [, proposed = ''] = counted.cures?.[0] ?? [];
    open.push({ kind: 'prefix', field: 'externalOrderId', choices: orNone([proposed]), isProven: true });
  }
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

/** How lines in one row are read, where that is in doubt. */
function openLines({ lines }: Proposal): Open[] {
  const [first] = lines?.choices ?? [];
  if (lines === undefined || first === undefined || lines.isSettled) return [];
  const readings = lines.choices.map((choice) => choice.lines);
  const { form, wide } = first.lines;
  // Keys have no other choice in one text.
  if (form === undefined && wide === undefined)
    return [{ kind: 'lines', readings, choices: [first.name], from: first.name }];
  const forms = readings.flatMap((each) => (typeof each.form === 'string' ? [each.form] : []));
  const choices = Array.isArray(form) ? [String(form[0])] : [...new Set(forms)];
  return [{ kind: 'lines', readings, choices: choices.slice(0, maxChoices) }];
}

function readingsOf(open: Open): readonly JsonObject[] {
  return open.kind === 'lines' ? open.readings : [];
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

/** The entry for a field in `columns`; undefined when it is open. */
function columnOf({ field, settled, minus = [] }: FieldProposal): Json | undefined {
  const names = namesOf(settled);
  const [name] = names;
  if (name === undefined) return undefined;
  if (names.length > 1) return { from: names, join: field === 'customer.name' ? ' ' : ', ' };
  return minus.length === 0 ? name : { from: name, minus: namesOf(minus) };
}

function openColumn({ field, guesses, minus = [] }: FieldProposal): Open {
  const names = namesOf(guesses);
  const choices = field === 'externalOrderId' ? names.slice(0, maxChoices) : orNone(names);
  return {
    kind: 'column',
    field,
    choices,
    ...(minus.length === 0 ? {} : { beside: { minus: namesOf(minus) } }),
  };
}

const ruleOf: Record<Decision, { payment: string; state: string }> = {
  collect: { payment: 'on_delivery', state: 'to_deliver' },
  prepaid: { payment: 'paid', state: 'to_deliver' },
  deliver: { payment: 'open', state: 'to_deliver' },
  leave_out: { payment: 'leave_out', state: 'leave_out' },
};

/** For a shop's export, and rules of a mapping file: the values that they do not know. */
function openRules(given: JsonObject, value: ValueProposal): Open[] {
  const { header } = value;
  const rules = ruleOf[isPayment(value) ? 'collect' : 'deliver'];
  const decided = new Set(ruledTexts(given, header));
  return value.values
    .filter(({ text }) => !decided.has(text))
    .map(({ text }) => ({
      kind: 'rule',
      key: isPayment(value) ? rules.payment : rules.state,
      header,
      choices: [text],
    }));
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
function saysOnlyWhoPays({ role, values }: ValueProposal): boolean {
  const saysOther = values.some(({ decision }) => decision === 'leave_out');
  return isPayment({ role }) && role !== 'state_or_payment' && !saysOther;
}

const isPayment = ({ role }: Pick<ValueProposal, 'role'>) => roles[role].decides === 'payment';

/** `deliver` leaves the payment to another column. */
function choicesFor(value: ValueProposal, payments: number): Decision[] {
  if (!isPayment(value)) return ['deliver', 'leave_out'];
  const mayLeaveOpen = payments > 1 || value.role === 'state_or_payment';
  return mayLeaveOpen ? [...decisions] : ['collect', 'prepaid', 'leave_out'];
}

function isNewIn(listed: JsonObject, open: readonly Open[], header: string): (text: string) => boolean {
  const asked = open.flatMap((one) => (one.kind === 'value' && one.header === header ? [one.text] : []));
  const known = new Set([...Object.keys(listed), ...asked].map(foldCell));
  return (text) => !known.has(foldCell(text)) && (text === '' || !known.has('*')) && !unsafeNames.has(text);
}

function openValues(
  { header, values }: ValueProposal,
  choices: readonly Decision[],
  isNew: (text: string) => boolean,
): Open[] {
  const isOpenValue = ({ text, decision, isCertain }: ProposedValue) =>
    isNew(text) && !(isCertain && decision !== undefined);
  return values.filter(isOpenValue).map(({ text, decision }): Open => {
    const isBest = (choice: Decision) => Number(choice === decision);
    return {
      kind: 'value',
      header,
      text,
      choices: choices.toSorted((left, right) => isBest(right) - isBest(left)),
    };
  });
}

export const noteField = 'deliveryAddress.note';

interface OpenMapping extends Draft {
  open: Open[];
}

/** Who pays and how much: by values, an amount due, or else what a person says of every order. */
function addCollection(draft: OpenMapping, proposal: Proposal, { mapped, map, shop }: GivenMapping): void {
  const hasRules = paymentRules.some((key) => map?.[key] !== undefined);
  if (hasRules || (shop !== undefined && mapped.rules.payment !== undefined)) return;
  const { mapping, open } = draft;
  const columns = objectIn(mapping, 'columns');
  const constants = objectIn(mapping, 'constants');
  const { amounts, mode, paid } = proposal;
  const has = (field: string) =>
    columns[field] !== undefined || open.some((one) => one.kind === 'column' && one.field === field);
  const hasDue = () => mapping.amount_due !== undefined || open.some(({ kind }) => kind === 'amount_due');
  const ask = (choices: readonly string[]) => open.push({ kind: 'amount_due', choices });
  const collects = mayCollect(objectIn(mapping, 'values'), open);
  // Beside a column that says who pays, an amount of every order is what the order costs.
  const dues = amounts.filter(({ isDue, isOfEvery }) => isDue && !(isOfEvery && collects !== undefined));
  const isSaid = constants.collectionMode !== undefined || has('collectionMode');
  if (paid.length > 0 && constants.collectionMode !== 'NONE') mapping.amount_paid ??= namesOf(paid);
  if (!isSaid && columns.collectionAmount !== undefined) {
    if (!hasDue()) mapping.amount_due = columns.collectionAmount;
    delete columns.collectionAmount;
  }
  if (!isSaid && collects === undefined && !hasDue()) {
    const [due, other] = dues;
    if (mode !== undefined) columns.collectionMode = mode.header;
    else if (due !== undefined && other === undefined && saysDue(due.header)) mapping.amount_due = due.header;
    else ask(orNone(namesOf(amounts)));
    // What is paid is subtracted from a total alone.
    const [amount, ...more] = amounts;
    if (paid.length > 0 && amount !== undefined && more.length === 0 && !amount.isDue && !has('total'))
      columns.total = amount.header;
  }
  const isCollected = collects || has('collectionMode') || constants.collectionMode === 'COLLECT';
  if (!isCollected || hasDue() || has('total') || has('collectionAmount')) return;
  const [only, other] = namesOf(dues);
  if (only !== undefined && other === undefined) mapping.amount_due = only;
  else if (only !== undefined) ask(namesOf(dues).slice(0, maxChoices));
  else if (amounts.length > 0)
    open.push({ kind: 'column', field: 'total', choices: namesOf(amounts).slice(0, maxChoices) });
}

/** Amounts of lines are added up; that it is so is asked. */
function addSums({ mapping, open }: OpenMapping, { amounts }: Proposal): void {
  const columns = objectIn(mapping, 'columns');
  const isOfLine = (name: string) => amounts.some((amount) => amount.header === name && amount.isOfLine);
  const place = open.findIndex(isOfTotal);
  const asked = open[place];
  const total = columns.total ?? (asked === undefined ? mapping.amount_due : undefined);
  const names = asked?.choices ?? (typeof total === 'string' ? [total] : []);
  const isMeant = isOfLine(names[0] ?? '');
  if (asked === undefined && !isMeant) return;
  delete columns.total;
  const wanted: Open = {
    kind: 'column',
    field: 'total',
    choices: names.filter((name) => isOfLine(name) === isMeant),
    ...(isMeant ? { beside: { sum: true } } : {}),
  };
  open.splice(place < 0 ? open.length : place, 1, wanted);
}

/** `Balance`, `COD`, but not `Payment`, which may hold what is paid. */
function saysDue(header: string): boolean {
  return roleOfHeader(header) === 'amount_due' || verdict('payment_method', 'yes', header) === 'on_delivery';
}

const paymentRules = ['paid', 'partly_paid', 'open', 'on_delivery', 'payment_method'] as const;

/** Whether values say that the courier collects, or may say so; undefined when none is about the payment. */
function mayCollect(values: JsonObject, open: readonly Open[]): boolean | undefined {
  const decided = Object.values(values).flatMap((listed) =>
    isJsonObject(listed) ? Object.values(listed).map((value) => [String(value)]) : [],
  );
  const asked = open.flatMap((one) => (one.kind === 'value' ? [one.choices] : []));
  const ofPayment = [...decided, ...asked].filter(
    (choices) => choices.includes('collect') || choices.includes('prepaid'),
  );
  if (ofPayment.length === 0) return undefined;
  return ofPayment.some(([only, other]) => only !== 'prepaid' || other !== undefined);
}

function namesOf(columns: readonly NamedColumn[]): string[] {
  return columns.map(({ header }) => header);
}

function textsIn(base: JsonObject, key: string): string[] {
  return listIn(base, key).filter((item): item is string => typeof item === 'string');
}
