import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type Plan, planImport } from '../../import/orders/plan-import.ts';
import { readTable } from '../../import/table/read-table.ts';
import type { CsvSource } from '../../import/table/source.ts';
import { formatFieldPath } from '../../orders/field-path.ts';
import type { ImportPreview } from '../../output/import-preview.ts';
import type { Spill } from '../../system/spill.ts';
import { filesOf, type ImportFiles } from './files.ts';
import type { ImportFlags } from './flags.ts';
import { stopForFile } from './problems.ts';

/** Reads and checks the whole file. Errors: those of the file and the mapping, `usage` when no order is selected. */
export async function readJob(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags,
): Promise<ImportJob> {
  const { clock, system, interruption } = context;
  const started = clock.now();
  const files = filesOf(file, flags);
  const map = flags.map === undefined ? undefined : await readMapping(flags.map, system.files);
  const table = await readTable(source, flags);
  const plan = await planImport(table, {
    map,
    mapColumn: flags.mapColumn,
    preset: flags.preset,
    decimal: flags.decimal,
    dateOrder: flags.dateOrder,
    constants: [...(map?.constants ?? []), ...(flags.set ?? [])],
    oneRowPerOrder: flags.oneRowPerOrder ?? false,
    repeatedRowsAreLines: flags.repeatedRows === 'lines',
    today: clock.today(),
    allRules: flags.checks,
    selection: flags,
    stopping: interruption.stopping,
    openSpill: source.openSpill,
  });
  stopForFile(context, source.name, plan);
  const { selected, lastRow } = plan.counts;
  if (selected === 0 && flags.shard === undefined) {
    throw new CliError('usage', `${source.name} has no order in the selected rows.`, {
      hint: `Its last row is ${lastRow}. Rows are numbered as a spreadsheet shows them.`,
      outcome: 'not_sent',
    });
  }
  if (selected === 0) context.print.note(`${source.name} has no order to import in this shard.`);
  return {
    file,
    flags,
    files,
    run: system.randomUuid().slice(0, 8),
    started,
    plan,
    openSpill: source.openSpill,
  };
}

/** What will be sent, for a person to confirm. */
export function previewOf(
  { file, plan }: ImportJob,
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
      path: formatFieldPath(path),
      isExtra,
    })),
    unsent: mapping.unsent,
  };
}

/** How cells and rows were changed or left out when the file was read. */
export function notesOf({ table, counts, facts }: ImportJob['plan']): string[] {
  const { skippedRows } = counts;
  const skipped = `${skippedRows} ${skippedRows === 1 ? 'row is' : 'rows are'} left out, as the mapping says.`;
  return [
    ...(table.isWrapped ? ['Each row was wrapped in quotes, which were removed.'] : []),
    ...(skippedRows > 0 ? [skipped] : []),
    ...facts.reformatted().map(({ from, to, count }) => {
      const others = count === 1 ? '' : `, and so on in ${count - 1} more ${count === 2 ? 'cell' : 'cells'}`;
      return `${from} is sent as ${to}${others}.`;
    }),
  ];
}

async function readMapping(path: string, files: Context['system']['files']) {
  const text = await files.readText(path);
  const { parseMappingFile } = await import('../../import/map/mapping-file.ts');
  return parseMappingFile(text, path);
}

/** One import, as it is passed from step to step. */
export interface ImportJob {
  file: string;
  flags: ImportFlags;
  files: ImportFiles;
  run: string;
  /** Milliseconds since the epoch. */
  started: number;
  plan: Plan;
  /** Opens a temporary file that is removed with the source. */
  openSpill(): Spill;
}
