import type { Connection, Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { countOutcomes, type OrderOutcome } from '../import/order-outcome.ts';
import type { Plan, PlannedOrder } from '../import/plan.ts';
import { collectRejects } from '../import/rejects.ts';
import { countOrders, endOf, type ImportSummary } from '../import/summary.ts';
import { formatCommandLine } from '../output/command-line.ts';
import { createProgress } from '../output/progress.ts';
import { formatRejects } from '../output/rejects-file.ts';
import { formatResults } from '../output/results-file.ts';
import { type ImportFiles, writeSomewhere } from './import-files.ts';
import type { ImportFlags } from './import-flags.ts';

/** What one import carries from step to step. */
export interface ImportJob {
  file: string;
  flags: ImportFlags;
  files: ImportFiles;
  run: string;
  started: number;
  plan: Plan;
  /** The orders that are meant, after --rows and --limit. */
  selected: PlannedOrder[];
}

interface Ending {
  connection?: Connection;
  /** Why the sending stopped, or why it never began. */
  stoppedBy?: CliError | undefined;
  isDryRun?: boolean;
  /** False when nothing was tried, so that there are no results to write. */
  writesResults?: boolean;
}

/** The progress of the sending on stderr, and each outcome on stdout where the format shows it. */
export function watchProgress(
  { report, system, clock, settings, interruption, print }: Context,
  total: number,
) {
  const counts = countOutcomes([]);
  const { stderr, terminal } = system;
  const isShown = !(settings.quiet || settings.verbose);
  const options = {
    isTerminal: terminal.stderr,
    width: terminal.width,
    now: () => clock.now(),
    colour: false,
  };
  const progress = isShown ? createProgress({ stream: stderr, total, ...options }) : undefined;
  // What is written while a bar is drawn goes above it.
  const aside = (write: () => void) => (progress === undefined ? write() : progress.aside(write));
  const onStop = () =>
    aside(() => print.note('Stopping: waiting for the orders in flight. Ctrl-C again leaves at once.'));
  interruption.stopping.addEventListener('abort', onStop);
  return {
    see: (outcome: OrderOutcome) => {
      counts[outcome.outcome] += 1;
      aside(() => report.outcome({ ...outcome }));
      progress?.update(counts);
    },
    stop: () => {
      interruption.stopping.removeEventListener('abort', onStop);
      progress?.stop();
    },
  };
}

/** Writes the files, reports the summary, and says how it ended: undefined when every order is there. */
export async function finishImport(
  context: Context,
  job: ImportJob,
  outcomes: OrderOutcome[],
  ending: Ending,
): Promise<CliError | undefined> {
  const { report, print, clock, interruption } = context;
  const { isDryRun = false, writesResults = true, connection } = ending;
  const rejects = collectRejects(job.selected, outcomes);
  const results =
    isDryRun || !writesResults
      ? null
      : await writeSomewhere(job.files.results, formatResults(outcomes), context);
  const rejected =
    isDryRun || rejects.length === 0
      ? null
      : await writeSomewhere(
          job.files.rejects,
          formatRejects(job.plan.header, rejects, job.flags.delimiter),
          context,
        );
  const orders = countOrders(outcomes);
  const again = formatCommandLine(context.system.args);
  const mend = `Mend them in ${rejected} and run: ${mendedCommand(context, job, rejected ?? job.files.rejects)}`;
  const error = isDryRun || !writesResults ? ending.stoppedBy : ended();
  const summary: ImportSummary = {
    file: job.file,
    run: job.run,
    profile: connection?.profile ?? null,
    sandbox: context.settings.sandbox || connection?.label === 'SANDBOX',
    orders,
    rows: job.plan.rows,
    results,
    rejects: rejected,
    durationMs: clock.now() - job.started,
    exitCode: error?.exitCode ?? 0,
    ...(isDryRun ? { dryRun: true } : {}),
  };
  report.imported(summary);
  if (orders.already_exists > 0) print.note(thereAlready(orders));
  if (results !== null) print.note(`Results: ${results}`);
  if (rejected !== null) print.note(`To be mended: ${rejected}`);
  return error;

  function ended(): CliError | undefined {
    const signal = interruption.signal();
    if (signal !== undefined && orders.not_sent + orders.unknown > 0) {
      const open = orders.not_sent + orders.unknown;
      return new CliError(
        signal === 'SIGTERM' ? 'terminated' : 'interrupted',
        `Stopped: ${open === 1 ? '1 order is' : `${open} orders are`} still open.`,
        {
          hint: `Go on with the same command: ${again}`,
        },
      );
    }
    return endOf(orders, ending.stoppedBy, { again, mend });
  }
}

const ofThisFileAlone = /^--(?:rows|limit|results|rejects)(=|$)/;

/** The same command for the mended rows: with the flags of the original, since the columns are the same. */
export function mendedCommand({ system }: Context, { file }: ImportJob, rejects: string): string {
  const words = system.args.filter((word, index) => {
    const [flag, hasValue] = ofThisFileAlone.exec(system.args[index - 1] ?? '') ?? [];
    return !ofThisFileAlone.test(word) && (flag === undefined || hasValue === '=');
  });
  return formatCommandLine(words.map((word) => (word === file ? rejects : word)));
}

function thereAlready({ already_exists: count, total }: ImportSummary['orders']): string {
  if (count === total && total > 1) return `All ${total} orders are there already; none was created again.`;
  const orders = count === 1 ? '1 order was' : `${count} orders were`;
  return `${orders} there already and not created again.`;
}
