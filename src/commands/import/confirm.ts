import { advice, again, joinTexts, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type FieldsToShow, reasonToShow } from '../../fields/field-paths.ts';
import { listLeftOut } from '../../import/choices.ts';
import { indexesOfUse, type Mapping, type Use } from '../../import/mapping/mapping.ts';
import { rememberedNotes } from '../../mappings/choose-mapping.ts';
import { formatAmount } from '../../orders/decimal.ts';
import { sentPath } from '../../orders/unnamed-fields.ts';
import {
  countOrders,
  formatImportPreview,
  type ImportPreview,
  withArticle,
  wrapQuestion,
} from '../../output/import-preview.ts';
import type { Comparison } from './compare.ts';
import type { ImportFlags } from './flags.ts';
import type { ProofOrder } from './prove-fields.ts';
import { countLeftOut, type ImportJob, isWarning, notesOf, showProblems, showReading } from './read.ts';

/**
 * `first`: the order that is sent before all others, to see what the service shows of it. Errors: `confirmation_required`,
 * `not_confirmed`, `order_invalid`.
 */
export async function confirmImport(
  context: Context,
  connection: Connection,
  { job, unsent, counts, warnings }: Comparison,
  first: (ProofOrder & Pick<FieldsToShow, 'hidden'>) | undefined,
): Promise<void> {
  if (unsent.orders === 0) return showWithoutPreview(context, job);
  if (connection.label === 'LIVE') checkNoExamples(job);
  const { settings, prompts, print, say } = context;
  const { label, labelWithProfile } = connection;
  if (settings.yes || (!prompts && label === 'SANDBOX')) return showWithoutPreview(context, job);
  const preview = previewOf(job, label, { counts });
  const warned = { ...preview, warnings: [...job.plan.warnings, ...warnings] };
  const isRecognised = job.plan.shop?.isRecognised ?? false;
  const isAlone = first !== undefined && unsent.orders > 1;
  const facts = formatQuestion(unsent, warned, isRecognised, isAlone);
  const question = say(t`${labelWithProfile}: create ${facts}?`);
  const look = lookOf(context, job.flags);
  print.note(formatImportPreview(preview, { ...look, question }));
  if (!connection.checksSkus) print.note(unchecked);
  print.note('');
  if (first !== undefined) {
    const { planned, fields, hidden } = first;
    const id = cleanCell(planned.externalOrderId);
    const use = isAlone
      ? t`Order ${id} is sent first and alone; the others follow when it shows them.`
      : t`Order ${id} will show it.`;
    print.note(advice`${reasonToShow(fields, hidden)} ${use}\n`);
  }
  if (!prompts) {
    throw new CliError(
      'confirmation_required',
      t`The import must be confirmed, and the program cannot ask questions here. Nothing was sent.`,
      {
        hint: t`To send without confirmation, run:${again('--yes')}`,
      },
    );
  }
  const wrapped = wrapQuestion(question, look.width).join('\n  ');
  if (await prompts.confirm(label === 'LIVE' ? print.alarm(wrapped) : wrapped, false, 'create')) return;
  throw new CliError('not_confirmed', t`Nothing was sent.`);
}

function showWithoutPreview(context: Context, job: ImportJob): void {
  if (!job.flags.details) showProblems(context, job.plan.problems.filter(isWarning));
  showReading(context, job);
}

/** The examples of the template are not real orders. Error: `order_invalid`. */
function checkNoExamples({ file, plan: { example } }: ImportJob): void {
  if (example === undefined) return;
  const { externalOrderId, row } = example;
  throw new CliError(
    'order_invalid',
    t`${file} still has an example of the template, ${externalOrderId} in row ${row}. Nothing was sent.`,
    { hint: t`Remove the examples, or try them out with: --sandbox` },
  );
}

const unchecked = t`SKUs are not checked: this sandbox has the catalogue that comes with the program.`;

const maxIgnored = 2;

/** `335 orders, collect 4,120,000 ₮ from 120 of them, 2 warnings`: what is to be created */
export function formatQuestion(
  { orders, collecting, toCollect }: Comparison['unsent'],
  {
    shop,
    invalid,
    ignored,
    warnings,
  }: Pick<ImportPreview, 'shop' | 'invalid' | 'ignored'> & Pick<Comparison, 'warnings'>,
  isRecognised: boolean,
  isFirstAlone = false,
): Text {
  const count = countOrders(orders);
  const amount = formatAmount(toCollect ?? '0');
  const collect =
    orders === 1
      ? t`collect ${amount}`
      : collecting === orders
        ? t`collect ${amount} from all of them`
        : t`collect ${amount} from ${collecting} of them`;
  const more = ignored.length - maxIgnored;
  const warned = warnings.reduce((sum, { count }) => sum + count, 0);
  const ignoringMore = t`ignoring ${more} more {column|columns} that {matters|matter}`;
  const parts = [
    shop !== undefined && isRecognised ? t`${count} as ${withArticle(shop)}` : count,
    ...(isFirstAlone ? [t`the first one alone`] : []),
    ...(collecting === 0 ? [] : [collect]),
    ...(invalid === 0 ? [] : [t`skip ${invalid} with errors`]),
    ...ignored.slice(0, maxIgnored).map((effect) => t`ignoring ${effect}`),
    ...(more > 0 ? [ignoringMore] : []),
    ...(warned === 0 ? [] : [t`${warned} {warning|warnings}`]),
  ];
  return joinTexts(parts, ', ');
}

export function previewOf(
  { file, flags, plan, fieldPaths, remembered }: ImportJob,
  service: ImportPreview['service'],
  { counts: known }: Pick<Comparison, 'counts'>,
): ImportPreview {
  const { table, mapping, counts, shop, ignored, shippingMethods } = plan;
  const { agrees, differs, less } = counts.sums;
  return {
    ...plan.totals,
    fieldPaths,
    file,
    shop: shop?.title,
    remembered: remembered?.name,
    map: flags.map === 'none' ? undefined : flags.map,
    service,
    alreadyCreated: known.already_exists,
    conflicts: known.conflict,
    paidOnDelivery: counts.paidOnDelivery,
    invalid: counts.invalid,
    leftOut: { total: countLeftOut(plan), reasons: listLeftOut(counts.leftOut) },
    sums: { compared: agrees + differs + less, agreeing: agrees },
    shippingMethods,
    warnings: flags.details ? [] : plan.problems.filter(isWarning),
    ignored,
    encoding: table.encoding,
    delimiter: table.delimiter,
    sheet: table.sheet,
    notes: [...rememberedNotes(remembered).slice(1), ...notesOf(plan)],
    mapping: [...mapping.columns, ...(mapping.lines?.columns ?? []), ...mapping.addresses.flat()].map(
      ({ header, path, isExtra }) => ({ header, path: sentPath(path, fieldPaths), isExtra }),
    ),
    unsent: headersOf(mapping, 'open', 'values'),
    notRead: notReadIn(mapping),
  };
}

function headersOf(mapping: Mapping, ...uses: readonly Use[]): string[] {
  return indexesOfUse(mapping, ...uses).map((index) => mapping.header.cells[index] ?? '');
}

/** Without the columns that say which orders are left out. */
function notReadIn(mapping: Mapping): string[] {
  const read = new Set(mapping.rules.leaveOut.flatMap(({ rule }) => rule.flat().map(({ header }) => header)));
  return headersOf(mapping, 'open', 'values', 'ignored').filter((header) => !read.has(header));
}

/** Off a terminal, lines are as long as those of the usual screen. */
export function lookOf(
  { say, system: { terminal } }: Context,
  { details = false }: Pick<ImportFlags, 'details'>,
) {
  return { width: terminal.stderr ? terminal.width : 80, isDetailed: details, say };
}
