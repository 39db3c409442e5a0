import { basename } from 'node:path';
import { command, plainText, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import type { MappingFile } from '../../import/mapping/language.ts';
import type { Plan } from '../../import/orders/plan-import.ts';
import type { CsvSource, ReadingFlags } from '../../import/read/read-table.ts';
import { readingFlags, withRead } from '../../import/read/settings.ts';
import { forgetMappings, keysOfOneFile, mappingIn, remember } from '../../mappings/remembered-mappings.ts';
import { indentJson, type JsonObject, parseJson } from '../../orders/json.ts';
import { defaultPaths } from '../../orders/unnamed-fields.ts';
import { formatProblems } from '../../output/problem-report.ts';
import { formatLocalTime } from '../../output/times.ts';
import type { StoredMapping } from '../../system/configuration-files.ts';

export async function runMappings({ mappings, report, print }: Context): Promise<void> {
  const { mappings: stored } = await mappings.read();
  const records = stored.map(({ name, profile, columns, savedAt, usedAt }): JsonObject => {
    return { name, profile, columns: columns.length, savedAt, usedAt };
  });
  report.records('mappings', records, ['name', 'profile', 'columns', 'savedAt', 'usedAt'], {
    heads: [t`name`, t`profile`, t`columns`, t`saved`, t`used`],
    rows: stored.map(({ name, profile, columns, savedAt, usedAt }) => {
      return [name, profile, String(columns.length), formatLocalTime(savedAt), formatLocalTime(usedAt)];
    }),
  });
  if (records.length === 0)
    print.note(t`No mappings. To remember one, run: ${command('mappings', 'add', 'FILE.csv', 'MAP.json')}`);
}

export async function runShow({ mappings, print }: Context, name: string): Promise<void> {
  const { mappings: stored } = await mappings.read();
  print.data(indentJson(mappingIn(findMapping(stored, name))));
}

export async function runRemove(context: Context, name: string | undefined, all: boolean): Promise<void> {
  if (all === (name !== undefined)) {
    throw new CliError('usage', t`Which mapping should be removed?`, {
      hint: t`Give its name, or --all. To list them, run: ${command('mappings')}`,
    });
  }
  if (name !== undefined) findMapping((await context.mappings.read()).mappings, name);
  const removed = await forgetMappings(context, (known) => all || known.name === name);
  context.print.note(removed.length === 0 ? t`No mappings.` : t`Removed ${removed}.`);
}

/** Error: `usage`. */
function findMapping(stored: readonly StoredMapping[], name: string): StoredMapping {
  const found = stored.find((known) => known.name === name);
  if (found !== undefined) return found;
  const known = stored.map((mapping) => mapping.name).join(', ');
  const hint = known === '' ? t`No mappings are remembered.` : t`The mappings are: ${known}.`;
  throw new CliError('usage', t`There is no remembered mapping "${cleanCell(name)}".`, { hint });
}

/** Errors: those of the files, `configuration_invalid`, `file_invalid` when the mapping does not read the file. */
export async function runAdd(
  context: Context,
  file: string,
  mapping: string,
  flags: ReadingFlags,
): Promise<void> {
  const { system, print, say, settings } = context;
  const { parseMappingFile } = await import('../../import/mapping/mapping-file.ts');
  const { withSource } = await import('../../import/read/read-table.ts');
  const text = await system.files.readText(mapping, system.interruption.stopping);
  const map = parseMappingFile(text, mapping);
  await withSource(file, system, async (source) => {
    const plan = await planWith(context, source, map, flags);
    const about = plan.problems.filter(({ first }) => first.about !== 'order' && first.severity === 'error');
    if (about.length > 0) {
      print.styledNote(
        formatProblems(about, say, system.terminal.stderr ? system.terminal.width : undefined),
      );
      print.note('');
      throw new CliError('file_invalid', t`${mapping} cannot read ${source.name}. Nothing was remembered.`, {
        hint: t`Correct it, and try it with:\n  ${command('import', file, '--map', mapping, '--dry-run')}`,
        issues: about.map(({ first: { path, header, code, problem, fix } }) => {
          return { path: path ?? header ?? '', code, message: `${problem}; ${plainText(fix, system)}` };
        }),
        hasShownIssues: !settings.quiet,
      });
    }
    const { name, removed } = await remember(context, {
      file,
      header: plan.table.header,
      mapping: withRead(parseJson(text) as JsonObject, plan.table),
      seen: plan.seen,
    });
    print.note(t`Remembered as ${name}: files with these columns are read with it from now on.`);
    const notRemembered = keysOfOneFile.filter((key) => Object.hasOwn(map, key));
    if (notRemembered.length > 0)
      print.note(t`Not remembered, because the next file may differ: ${notRemembered}.`);
    if (removed.length > 0) print.note(t`Forgotten, because unused for longest: ${removed}.`);
    const { orders, invalid } = plan.counts;
    if (invalid > 0) {
      const all = String(orders);
      print.note(t`${invalid} of its ${all} orders {needs|need} fixing; values of these are not remembered.`);
    }
  });
}

async function planWith(
  { system, clock }: Context,
  source: CsvSource,
  map: MappingFile,
  flags: ReadingFlags,
): Promise<Plan> {
  const { withMapping } = await import('../../import/mapping/shops/presets.ts');
  const { planImport } = await import('../../import/orders/plan-import.ts');
  const { readTable } = await import('../../import/read/read-table.ts');
  const { stopping } = system.interruption;
  const settings = readingFlags(map.read);
  const table = await readTable(
    source,
    { ...flags, quote: map.quote },
    { forOrders: true, stopping, settings },
  );
  return planImport(table, {
    ...withMapping({ checks: true }, map),
    fileName: basename(source.name),
    today: clock.today(),
    fieldPaths: defaultPaths,
    stopping,
    openSpill: source.openSpill,
    keepsOrders: false,
  });
}
