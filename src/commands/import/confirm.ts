import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { confirmPlaces } from '../../field-places.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import { sentPath } from '../../orders/unnamed-fields.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatImportPreview, type ImportPreview, withArticle } from '../../output/import-preview.ts';
import { formatAmount } from '../../output/order-preview.ts';
import type { Comparison } from './compare.ts';
import { type ImportJob, notesOf } from './read.ts';

/** Shows the preview and asks before anything is sent. Errors: `confirmation_required`, `fields_unconfirmed`, `not_confirmed`. */
export async function confirmImport(
  context: Context,
  connection: Connection,
  job: ImportJob,
  { unsent, counts, warnings }: Comparison,
): Promise<void> {
  if (unsent.orders === 0) return;
  await confirmPlaces(context, connection, job.plan.assumedFields);
  const { settings, prompts, print, system } = context;
  const { label } = connection;
  if (settings.yes) return;
  print.note(formatImportPreview(previewOf(job, label, counts.already_exists)));
  print.note('');
  if (!prompts) {
    throw new CliError(
      'confirmation_required',
      'The import needs a confirmation, but there is no terminal. Nothing was sent.',
      {
        hint: `To send without confirmation, run: ${formatCommandLine([...system.args, '--yes'])}`,
        outcome: 'not_sent',
      },
    );
  }
  const warned = [...job.plan.warnings, ...warnings].reduce((sum, { count }) => sum + count, 0);
  if (await prompts.confirm(`${label}: ${formatQuestion(unsent, job.plan.shop, warned)}`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

/** What a person must not miss: `create 335 orders, collect 4,120,000 ₮ from 120 of them, 2 warnings?` */
export function formatQuestion(
  { orders, collecting, toCollect }: Comparison['unsent'],
  shop: Plan['shop'],
  warnings: number,
): string {
  const create = `create ${orders === 1 ? '1 order' : `${orders} orders`}`;
  const payers = collecting === orders ? 'all' : collecting;
  const from = orders === 1 ? '' : ` from ${payers} of them`;
  return `${[
    shop?.isRecognised ? `${create} as ${withArticle(shop.title)}` : create,
    ...(collecting === 0 ? [] : [`collect ${formatAmount(toCollect ?? '0')}${from}`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? '1 warning' : `${warnings} warnings`]),
  ].join(', ')}?`;
}

/** What will be sent, for a person to confirm. */
export function previewOf(
  { file, plan, places }: ImportJob,
  service: ImportPreview['service'],
  alreadyCreated: number,
): ImportPreview {
  const { table, mapping, totals } = plan;
  return {
    ...totals,
    file,
    service,
    alreadyCreated,
    encoding: table.encoding,
    delimiter: table.delimiter,
    notes: notesOf(plan),
    mapping: mapping.columns.map(({ header, path, isExtra }) => ({
      header,
      path: sentPath(path, places),
      isExtra,
    })),
    unsent: mapping.unsent,
  };
}
