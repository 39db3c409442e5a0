import type { Context } from '../../context.ts';
import type { MappingFile } from '../../import/map/mapping-file.ts';
import type { PlanOptions } from '../../import/orders/plan-import.ts';
import type { CsvSource } from '../../import/table/read-table.ts';
import type { FieldPlaces } from '../../orders/unnamed-fields.ts';
import type { ImportFlags } from './flags.ts';

/** What the flags and the mapping file say of the orders. */
export function planOptions(
  { clock, interruption }: Context,
  { openSpill }: CsvSource,
  flags: ImportFlags,
  map: MappingFile | undefined,
  places: FieldPlaces,
): PlanOptions {
  return {
    map,
    mapColumn: flags.mapColumn,
    preset: flags.preset,
    ignoreColumn: flags.ignoreColumn,
    leaveOut: flags.leaveOut,
    include: flags.include,
    unpaid: flags.unpaid ?? map?.unpaid,
    decimal: flags.decimal ?? map?.decimal,
    dateOrder: flags.dateOrder ?? map?.date_order,
    constants: [...(map?.constants ?? []), ...(flags.set ?? [])],
    oneRowPerOrder: flags.oneRowPerOrder ?? false,
    repeatedRowsAreLines: flags.repeatedRows === 'lines',
    today: clock.today(),
    allRules: flags.checks,
    places,
    selection: flags,
    stopping: interruption.stopping,
    openSpill,
  };
}

export async function readMapping(path: string, { files, interruption }: Context['system']) {
  const text = await files.readText(path, interruption.stopping);
  const { parseMappingFile } = await import('../../import/map/mapping-file.ts');
  return parseMappingFile(text, path);
}
