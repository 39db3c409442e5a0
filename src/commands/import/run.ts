import { command, commandFor, completeCommand, t } from '../../advice/advice.ts';
import { createOrderFinder } from '../../api/pages/order-finder.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { fieldsToShow } from '../../fields/field-paths.ts';
import { presetNames } from '../../import/choices.ts';
import { nearMiss } from '../../import/columns/header.ts';
import { presets } from '../../import/mapping/shops/presets.ts';
import type { WarningCount } from '../../import/problem.ts';
import { withSource } from '../../import/read/read-table.ts';
import { formatResults } from '../../import/results/files.ts';
import { endOf, foldReasons, withUnwritten } from '../../import/results/summary.ts';
import type { SendContext } from '../../import/send/context.ts';
import { entriesOfMerchant } from '../../import/send/merchant-entries.ts';
import { createCanary } from '../../import/send/send-order.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import type { JsonObject } from '../../orders/json.ts';
import { compareWithLedger } from './compare.ts';
import { confirmImport } from './confirm.ts';
import { writeDraft } from './draft.ts';
import { compareUnsent, dryRun } from './dry-run.ts';
import { rejectsCommand, reportImport, stopForOrders, writeRejects } from './end.ts';
import type { ImportFlags } from './flags.ts';
import type { NumberedCopy } from './numbered-copy.ts';
import { type ImportJob, problemsBeforePreview, readAnswered, showProblems } from './read.ts';
import { checkFiles, writeSomewhere } from './result-files.ts';
import { type SentFile, sendFile } from './send-file.ts';

export async function runImport(
  context: Context,
  file: string | undefined,
  flags: ImportFlags,
): Promise<void> {
  checkFields(flags.set ?? []);
  if (flags.template) return context.print.data(formatTemplate(context.clock.today()));
  if (flags.listPresets) return context.print.data(formatPresets());
  if (file === undefined) {
    throw new CliError('usage', t`Which file should be imported?`, {
      hint: t`Name it: ${command('import', 'orders.csv')}\nFor an example file, run: ${command('import', '--template')}`,
    });
  }
  context.system.keepHeapSmall();
  const numbered = await importFile(context, file, flags);
  if (numbered === undefined) return;
  const { importOfCopy } = await import('./numbered-copy.ts');
  await importFile(...importOfCopy(context, file, flags, numbered));
}

/** Returns the copy that is to be imported in the place of a file without order IDs. */
function importFile(
  context: Context,
  file: string,
  flags: ImportFlags,
  answers?: JsonObject,
): Promise<NumberedCopy | undefined> {
  return withSource(file, context.system, async (source) => {
    const { writeMap } = flags;
    if (writeMap !== undefined) {
      await writeDraft(context, source, file, { ...flags, writeMap });
      return undefined;
    }
    const job = await readAnswered(context, source, file, flags, answers);
    if ('copy' in job) return job;
    await runJob(context, job);
    return undefined;
  });
}

/** Error: `usage` for a name close to that of a field. */
function checkFields(fields: NonNullable<ImportFlags['set']>): void {
  for (const { path: segments } of fields) {
    const path = formatFieldPath(segments);
    const near = nearMiss(path, true);
    if (near === undefined) continue;
    const problem = t`The value of --set is not valid. ${path} is not a field of an order; did you mean ${near}?`;
    throw new CliError('usage', problem, { hint: t`Run: ${command('import', '--help')}` });
  }
}

async function runJob(context: Context, given: ImportJob): Promise<void> {
  const { flags } = given;
  if (flags.dryRun) return dryRun(context, given);
  const isStopped = ({ plan }: ImportJob) => plan.counts.invalid > 0 && flags.onInvalid === 'stop';
  showProblems(context, isStopped(given) ? given.plan.problems : problemsBeforePreview(given));
  const seen = await checkFiles(given.files, context.system);
  if (isStopped(given)) return stopForOrders(context, await compareUnsent(context, given));

  const { concurrency, rate: perSecond } = flags;
  const stopped = new AbortController();
  await using connection = await context.connect({
    waitsForOutages: true,
    waits: flags,
    limits: { concurrency, perSecond },
    stopping: AbortSignal.any([context.interruption.stopping, stopped.signal]),
  });
  const ledger = await connection.openLedger();
  try {
    const { client } = connection;
    const sendContext: SendContext = {
      client,
      finder: createOrderFinder(client),
      canary: createCanary(client),
      ledger,
      run: given.run,
      entries: await entriesOfMerchant(ledger, client),
      recreatesCancelled: flags.recreateCancelled ?? false,
      fieldPaths: given.fieldPaths,
      now: () => context.clock.now(),
    };
    const comparison = compareWithLedger(context, given, sendContext);
    const { job, warnings } = comparison;
    showProblems(context, comparison.problems);
    if (isStopped(job)) return await stopForOrders(context, comparison);
    const carried = comparison.unsent.orders === 0 ? [] : job.plan.assumedFields;
    const canAsk = context.prompts !== undefined && !context.settings.yes;
    const { open, hidden } = await fieldsToShow(context, connection.label, carried, canAsk);
    const proving =
      open.length === 0
        ? undefined
        : (await import('./prove-fields.ts')).proveFields(context, { connection, sendContext, job, open });
    if (proving !== undefined) sendContext.proof = proving.proof;
    const first = proving?.next();
    await confirmImport(context, connection, comparison, first && { ...first, hidden });
    await job.checkUnchanged();
    const { selected } = job.plan.counts;
    await ledger.runs.begin({
      id: job.run,
      kind: 'import',
      file: job.file,
      results: job.files.results,
      orders: selected,
    });
    const onStop = () => stopped.abort();
    const options = { onStop, proving, warnsFromLedger: warnings.length > 0 };
    const sent = await sendFile(context, job, sendContext, options).catch((error: unknown) => {
      recordEnd(ledger, job, error);
      throw error;
    });
    await proving?.end(sent.stoppedBy);
    await endImport(context, job, sent, { connection, ledger, warnings, seen: seen.results });
  } finally {
    ledger.close();
  }
}

async function endImport(
  context: Context,
  job: ImportJob,
  { store, tally, stoppedBy }: SentFile,
  {
    connection,
    ledger,
    warnings,
    seen,
  }: { connection: Connection; ledger: Ledger; warnings: WarningCount[]; seen: string },
): Promise<void> {
  ledger.runs.releaseSpace();
  const file = { what: 'results', path: job.files.results, run: job.run, seen } as const;
  const results = await writeSomewhere(file, () => formatResults(store.outcomes()), context);
  // From the outcomes, because the file may have changed since.
  const rejects = await writeRejects(context, job, store.rejects);
  const command = completeCommand(job.args);
  const fix =
    rejects.failure === undefined
      ? t`Fix them in ${cleanCell(rejects.path ?? '')} and run:\n  ${rejectsCommand(job, rejects.path ?? '')}`
      : t`To write the rows to fix, run the same command again; it creates no order twice:\n  ${command}`;
  const recreate = completeCommand([...job.args, '--recreate-cancelled']);
  const end = endOf(tally, { stoppedBy, signal: context.interruption.signal(), command, fix, recreate });
  const error = withUnwritten(end, tally, {
    results: results.failure,
    rejects: rejects.failure,
    fix,
    resultsCommand: commandFor(context, ['imports', 'show', job.run, '--format', 'csv']),
  });
  recordEnd(ledger, job, error);
  const { rejected, conflict, unknown } = tally.orders;
  if (rejected + conflict + unknown > 0) showProblems(context, foldReasons(store.failures()));
  const written = { results: results.path, rejects: rejects.path };
  reportImport(context, job, tally.orders, {
    connection,
    error,
    ...written,
    warnings: [...warnings, ...tally.warnings.values()],
    isRerun: tally.sent === 0,
    twice: tally.twice,
  });
  if (error !== undefined) throw error;
}

function recordEnd({ runs }: Ledger, { run }: ImportJob, error: unknown): void {
  const { done, unexpected } = exitCodes;
  const exitCode = error === undefined ? done : error instanceof CliError ? error.exitCode : unexpected;
  try {
    runs.end(run, exitCode);
  } catch {
    // The outcome of the orders matters more than the history.
  }
}

function formatPresets(): string {
  const width = Math.max(...presetNames.map(({ length }) => length));
  const lines = presetNames.map((name) => {
    const { title, explains } = presets[name];
    return `${name.padEnd(width)}  ${title}${explains === undefined ? '' : ' (explained only)'}`;
  });
  return lines.join('\n');
}

/** A CSV that imports unchanged: two orders, one of them with two lines. `day` is `YYYY-MM-DD`. */
function formatTemplate(day: string): string {
  return [
    'externalOrderId,customer.phone,customer.name,items[].sku,items[].name,items[].quantity:number,collectionMode,collectionAmount,total,requestedDeliveryDate,deliveryAddress.city,deliveryAddress.street',
    `EXAMPLE-1,99112233,Б.Өлзийбаяр,TEA-001,Сүүтэй цай,2,COLLECT,26700,26700,${day},Улаанбаатар,"Сөүлийн гудамж 12, 4 тоот"`,
    'EXAMPLE-1,,,TEA-002,Ногоон цай,1,,,,,,',
    `EXAMPLE-2,+976 8811 4455,Г.Үүрцайх,TEA-001,Сүүтэй цай,1,NONE,,8900,${day},Улаанбаатар,Энхтайваны өргөн чөлөө 3`,
  ].join('\n');
}
