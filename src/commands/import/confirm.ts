import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { confirmPlaces } from '../../field-places.ts';
import { countUnsent, type ImportSummary } from '../../import/results/summary.ts';
import { type RecallContext, recallByHash } from '../../import/send/recall.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatCommandLine } from '../../output/error-text.ts';
import { formatImportPreview } from '../../output/import-preview.ts';
import type { Print } from '../../output/print.ts';
import { type ImportJob, previewOf } from './read.ts';

/** Shows the preview and asks before anything is sent. Errors: `confirmation_required`, `fields_unconfirmed`, `not_confirmed`. */
export async function confirmImport(
  context: Context,
  connection: Connection,
  job: ImportJob,
  { known, counts }: Comparison,
): Promise<void> {
  const { selected, invalid } = job.plan.counts;
  const fresh = selected - invalid - known;
  if (fresh === 0) return;
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
  if (await prompts.confirm(`${label}: create ${fresh === 1 ? '1 order' : `${fresh} orders`}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { outcome: 'not_sent' });
}

/** What the ledger says about the orders that may be sent. */
export interface Comparison {
  counts: ImportSummary['orders'];
  /** Orders with an outcome already, so that they will not be sent. */
  known: number;
}

/** Compares the orders with the ledger, and warns about IDs that it knows in another spelling. */
export function compareWithLedger(
  { print }: Context,
  { plan }: ImportJob,
  context: RecallContext,
): Comparison {
  const comparison: Comparison = { counts: countUnsent(plan.counts), known: 0 };
  if (context.known.isEmpty) return comparison;
  const spellings = createSpellingWarning(context.ledger);
  for (const digest of plan.digests()) {
    spellings.add(digest.externalOrderId);
    const recalled = recallByHash(digest, digest.bodyHash, context);
    if (recalled === undefined) continue;
    comparison.known += 1;
    comparison.counts.not_sent -= 1;
    comparison.counts[recalled.outcome] += 1;
  }
  spellings.print(print);
  return comparison;
}

const maxNamed = 3;

/** Collects orders that were imported earlier under another spelling of the ID and would be created again. */
function createSpellingWarning(ledger: Ledger) {
  const named: string[] = [];
  let count = 0;
  return {
    add: (externalOrderId: string): void => {
      const other = otherSpelling(externalOrderId, ledger);
      if (other === undefined) return;
      count += 1;
      if (named.length < maxNamed) named.push(`${externalOrderId} (imported as ${other})`);
    },
    print: (print: Print): void => {
      if (count === 0) return;
      const orders = count === 1 ? '1 order was' : `${count} orders were`;
      const list = `${named.join(', ')}${count > named.length ? ', ...' : ''}`;
      print.note(
        `warning: ${orders} imported before under another spelling of the ID and would be created again: ${list}`,
      );
    },
  };
}

/** The spelling in which the ledger knows an ID that it does not know as written: `1013` for `#1013`, `12` for `0012`. */
export function otherSpelling(externalOrderId: string, ledger: Ledger): string | undefined {
  if (ledger.orders.find(externalOrderId) !== undefined) return undefined;
  return spellings(externalOrderId).find((spelling) => ledger.orders.find(spelling) !== undefined);
}

function spellings(id: string): string[] {
  const bare = id.replace(/^#/, '');
  const short = bare.replace(/^0+(?=\d)/, '');
  return [...new Set([bare, `#${bare}`, short, `#${short}`])].filter((spelling) => spelling !== id);
}
