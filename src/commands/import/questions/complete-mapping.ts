import { advice, type Say, type Text, t } from '../../../advice/advice.ts';
import type { Context } from '../../../context.ts';
import { createHeader, type Header } from '../../../import/columns/header.ts';
import { maxChoices, type Open, orNone } from '../../../import/mapping/draft/open.ts';
import { profileTable } from '../../../import/mapping/draft/propose-mapping.ts';
import {
  draftMapping,
  givenMapping,
  noteField,
  refusedColumns,
} from '../../../import/mapping/draft/write-mapping.ts';
import { listIn, objectIn, setIn } from '../../../import/mapping/entries.ts';
import type { MappingFile } from '../../../import/mapping/language.ts';
import type { Plan } from '../../../import/orders/plan-import.ts';
import { isUnread, type Problem } from '../../../import/problem.ts';
import { decisions } from '../../../import/words/verdict.ts';
import type { JsonObject } from '../../../orders/json.ts';
import type { Order } from '../../../orders/order.ts';
import { defaultPaths, type FieldPaths, unnamedFields } from '../../../orders/unnamed-fields.ts';
import { formatOrder } from '../../../output/order-view.ts';
import { wrapText } from '../../../output/wrapped-text.ts';
import { headerCodes, planWith } from '../draft.ts';
import {
  findMappingOfCopy,
  lacksOnlyIds,
  type NumberedCopy,
  saysNoIds,
  type UnnumberedFile,
  writeNumberedCopy,
} from '../numbered-copy.ts';
import {
  type Asked,
  back,
  backChoice,
  type OpenDraft,
  reopenValues,
  type Screen,
  withIgnored,
} from './asked.ts';
import { askKeptAnswers, keepMapping, keepUnfinished } from './keep-mapping.ts';
import { askNext } from './question.ts';
import { settledText, shown } from './question-text.ts';

export interface MappingJob extends UnnumberedFile {
  /** A mapping was given or remembered: only what it leaves open is asked. */
  isMapped: boolean;
  /** What was answered about this file before, or about the one of which it is a numbered copy. */
  answers: JsonObject | undefined;
}

/**
 * At a terminal, asks the open questions of the draft until the file can be imported, and keeps the answers. Returns
 * the new plan, the given one when nothing is asked, or the numbered copy that is to be imported. Errors: those of
 * reading and of writeNumberedCopy, `file_changed`, PromptLeft.
 */
export async function completeMapping(
  context: Context,
  job: MappingJob,
  plan: Plan,
): Promise<Plan | NumberedCopy> {
  const { prompts, settings } = context;
  const isFutile = job.table.header.below?.length === 0 || (plan.shop?.isRecognised && settings.yes);
  const isAsked = isAskable(plan) || job.answers !== undefined;
  if (prompts === undefined || isFutile || !isAsked) return plan;
  // Before questions whose answers could send nothing.
  if (!job.flags.dryRun) await context.checkKey();
  const isPlain = job.flags.map === undefined && !job.isMapped;
  const kept = isPlain && job.answers === undefined ? await askKeptAnswers(context, job) : undefined;
  const { earlier } = kept ?? {};
  const { file } = job;
  const answered: AnsweredSoFar = {};
  let completed: CompletedMapping;
  try {
    const answers = job.answers ?? kept?.answers;
    completed = await askUntilComplete(context, { ...job, answers }, plan, answered);
    if (completed.plan !== plan) plan.removeOrders();
    await job.checkUnchanged();
  } catch (error) {
    if (answered.given !== undefined)
      await keepUnfinished(context, { file, mapping: answered.given, earlier }, isPlain);
    throw error;
  }
  const { mapping, numbered } = completed;
  if (numbered !== undefined) return numbered;
  if (mapping === undefined) return completed.plan;
  if (completed.plan.isBroken) await keepUnfinished(context, { file, mapping, earlier }, isPlain);
  else
    await keepMapping(context, {
      file,
      header: job.table.header,
      mapping,
      seen: completed.plan.seen,
      earlier,
    });
  return completed.plan;
}

/** `mapping` is undefined when there was no question. */
interface CompletedMapping {
  plan: Plan;
  mapping?: JsonObject;
  numbered?: NumberedCopy;
}

/** Undefined before the first answer. */
interface AnsweredSoFar {
  given?: JsonObject | undefined;
}

async function askUntilComplete(
  context: Context,
  job: MappingJob,
  first: Plan,
  answered: AnsweredSoFar,
): Promise<CompletedMapping> {
  const { print, prompts, system } = context;
  const { table, options, optionsWith, isMapped, answers } = job;
  if (prompts === undefined) return { plan: first };
  const isPartial = isMapped || first.shop !== undefined;
  const profiled = await profileTable(table, options);
  const screen: Screen = { prompts, table: profiled, width: system.terminal.width };
  const draftOf = ({ given, reopened, problems }: Asked) =>
    draftMapping({
      table: profiled,
      given,
      reopened,
      optionsWith: (map?: MappingFile) => ({ ...optionsWith(map), problems }),
    });
  const earlier: Asked[] = [];
  let asked: Asked = {
    given: answers ?? givenMapping(table, options),
    reopened: [],
    problems: first.problems,
    ticked: undefined,
    declined: [],
    unread: [],
  };
  let plan = first;
  const goBack = () => {
    asked = earlier.pop() ?? asked;
  };
  const settled = isPartial || answers ? undefined : settledText(draftOf(asked), screen);
  if (settled !== undefined) print.note(advice`${settled}\n`);
  for (;;) {
    answered.given = earlier.length === 0 ? undefined : asked.given;
    const draft = draftOf(asked);
    const next = await askNext(draft, asked, screen, earlier.length > 0);
    if (next === back) goBack();
    else if (next !== undefined) {
      earlier.push(asked);
      if (saysNoIds(next.given) && !saysNoIds(asked.given)) {
        const known = await findMappingOfCopy(context, job);
        const written = known && (await writeNumberedCopy(context, job, known));
        if (written !== undefined) return { plan, numbered: { copy: written.copy } };
        if (known !== undefined) {
          goBack();
          continue;
        }
      }
      asked = next;
    }
    if (next !== undefined) continue;

    const { mapping } = draft;
    if (plan !== first || plan.isBroken) plan.removeOrders();
    plan = await planWith(job, mapping);
    const isNew = plan.problems.some(({ first: { code, header } }) =>
      asked.problems.every(({ first: known }) => known.code !== code || known.header !== header),
    );
    if (isAskable(plan) && isNew) {
      const given = withNote(asked.given, mapping);
      asked = withUnread({ ...asked, given, problems: plan.problems }, createHeader(table.header));
      continue;
    }
    if (lacksOnlyIds(plan) && saysNoIds(mapping)) {
      const numbered = await writeNumberedCopy(context, job, mapping);
      if (numbered !== undefined) return { plan, numbered };
      const path = ['columns', 'externalOrderId'];
      asked = withQuestion(draft, asked, { path, name: '' }, draftOf);
      continue;
    }
    const hasAnswers = earlier.length > 0;
    if (plan.isBroken || isPartial) return hasAnswers || !plan.isBroken ? { plan, mapping } : { plan };
    const firstOrders = plan.totals.firstOrders.map(({ order }) => order);
    if (firstOrders.length === 0) return { plan, mapping };
    const { fieldPaths } = options;
    print.note(
      t`\nThe first orders as they will be sent:\n\n${(say: Say) => formatOrders(firstOrders, { fieldPaths, width: screen.width, say })}\n${(say: Say) => formatPaths(fieldPaths, screen.width, say)}`,
    );
    const answer = await prompts.choose(t`Are these orders right?`, [
      { value: 'right', name: t`yes` },
      { value: 'change', name: t`change an answer` },
      ...(hasAnswers ? [backChoice] : []),
    ]);
    if (answer === 'right') return { plan, mapping };
    if (answer === back) {
      goBack();
      continue;
    }
    const choices = changesOf(draft);
    const chosen = await prompts.choose(t`Which answer should be changed?`, [
      ...choices.map(({ name }, index) => ({ value: String(index), name })),
      backChoice,
    ]);
    const entry = choices[Number(chosen)];
    if (entry === undefined) continue;
    earlier.push(asked);
    asked = { ...withQuestion(draft, asked, entry, draftOf), problems: [] };
  }
}

const labelWidth = 'deliver on'.length + 3;

/** What a person said of a single column holds, whatever is sent without it: the preview says what that is. */
function withUnread(asked: Asked, header: Header): Asked {
  const refused = refusedColumns(header, asked);
  const ignored = listIn(asked.given, 'ignore').map(String);
  const isSaid = (name: string) => asked.unread.includes(name) && refused.has(name);
  return { ...asked, given: withIgnored(asked.given, ignored.filter(isSaid), 'ignore_anyway') };
}

/** With the column of the notes that the plan was made with: a question about one of them is about no other. */
function withNote(given: JsonObject, mapping: JsonObject): JsonObject {
  const note = objectIn(mapping, 'columns')[noteField];
  return note === undefined ? given : setIn(given, ['columns', noteField], note);
}

/** Where this profile sends the fields that the service does not name. */
function formatPaths(fieldPaths: FieldPaths, width: number, say: Say): string {
  const moved = unnamedFields.filter((field) => fieldPaths[field] !== defaultPaths[field]);
  const texts = moved.map((field) => `${field} → ${fieldPaths[field]}`);
  return texts.length === 0
    ? ''
    : `\n${wrapText(say(t`Places of this profile: ${texts.join(', ')}.`), width - 1).join('\n')}\n`;
}

function formatOrders(
  orders: readonly Order[],
  { fieldPaths, width, say }: { fieldPaths: FieldPaths; width: number; say: Say },
): string {
  const maxLength = Math.max(20, width - labelWidth);
  return orders.map((order) => formatOrder(order, 'import', { fieldPaths, maxLength, say })).join('\n\n');
}

const anyCodes: ReadonlySet<string> = new Set([
  'payment_unknown',
  'payment_open',
  'state_unknown',
  'value_unknown',
]);

function isAskable(plan: Plan): boolean {
  return plan.problems.some(({ first }) => first.severity === 'error' && mayBeAnswered(first));
}

function mayBeAnswered(problem: Problem): boolean {
  return (
    isUnread(problem) ||
    problem.prefix !== undefined ||
    problem.mayPick === true ||
    anyCodes.has(problem.code) ||
    (headerCodes.includes(problem.code) && problem.about !== 'order') ||
    (problem.code === 'date_invalid' && problem.cures?.length === 1)
  );
}

/** An answer, or what was settled without one, that can be asked about again. */
interface Entry {
  path: readonly string[];
  name: Text;
}

function changesOf({ mapping, proposal }: OpenDraft): Entry[] {
  const labelOf = (field: string) => proposal.fields.find((known) => known.field === field)?.label ?? field;
  const named = (label: Text, value: unknown) =>
    typeof value === 'string' ? advice`${label}: ${shown(value)}` : label;
  const { amount_due: due, lines, unpaid, ignore } = mapping;
  return [
    ...Object.entries(objectIn(mapping, 'columns')).map(([field, column]) => ({
      path: ['columns', field],
      name: named(labelOf(field), column),
    })),
    ...(lines === undefined ? [] : [{ path: ['lines'], name: t`the lines of an order` }]),
    ...Object.keys(objectIn(mapping, 'values')).map((header) => ({
      path: ['values', header],
      name: t`the values of ${shown(header)}`,
    })),
    ...(due === undefined
      ? []
      : [{ path: ['amount_due'], name: named(t`the amount that the courier collects`, due) }]),
    ...(unpaid === undefined ? [] : [{ path: ['unpaid'], name: named(t`orders that are not paid`, unpaid) }]),
    ...(ignore === undefined ? [] : [{ path: ['ignore'], name: t`the columns that are not read` }]),
  ];
}

/** The answers with an open question in the place of one. */
function withQuestion(
  { mapping }: OpenDraft,
  asked: Asked,
  { path }: Entry,
  draftOf: (asked: Asked) => OpenDraft,
): Asked {
  const [key = '', name = ''] = path;
  const without = (given: JsonObject): JsonObject => {
    if (path.length === 1) {
      const { [key]: _, ...others } = given;
      return others;
    }
    const { [name]: _, ...others } = objectIn(given, key);
    return { ...given, [key]: others };
  };
  const left = { ...asked, given: without(asked.given) };
  const { proposal } = draftOf(left);
  const reopen = (open: Open): Asked => ({ ...left, reopened: [...left.reopened, open] });
  switch (key) {
    case 'columns': {
      const field = proposal.fields.find((known) => known.field === name);
      const guesses = (field?.guesses ?? []).map(({ header }) => header);
      const choices = name === 'externalOrderId' ? guesses.slice(0, maxChoices) : orNone(guesses);
      return reopen({ kind: 'column', field: name, choices });
    }
    case 'values': {
      const listed = objectIn(mapping, 'values', name);
      const isPayment = Object.values(listed).some((value) => value === 'collect' || value === 'prepaid');
      const choices = isPayment ? decisions : (['deliver', 'leave_out'] as const);
      const oneByOne = [...(asked.oneByOne ?? []), name];
      return { ...reopenValues(left, name, choices, Object.keys(listed)), oneByOne };
    }
    case 'amount_due':
      return reopen({ kind: 'amount_due', choices: orNone(proposal.amounts.map(({ header }) => header)) });
    case 'lines': {
      const all = proposal.lines?.choices ?? [];
      return reopen({ kind: 'lines', choices: [], readings: all.map(({ lines }) => lines) });
    }
    case 'unpaid':
      return reopen({ kind: 'unpaid', choices: [] });
    default:
      return { ...left, ticked: undefined };
  }
}
