import type { Context } from '../../context.ts';
import { sentPath } from '../../orders/unnamed-fields.ts';
import type { PreviewLook } from '../../output/imports/import-preview.ts';
import type { ImportPreview } from '../../output/imports/preview-sections.ts';
import type { Comparison } from './compare.ts';
import type { ImportFlags } from './flags.ts';
import { rememberedNotes } from './mapping.ts';
import { type ImportJob, notesOf } from './read.ts';

export function previewOf(
  { file, plan, places, remembered }: ImportJob,
  service: ImportPreview['service'],
  { counts: known, warnings }: Pick<Comparison, 'counts' | 'warnings'>,
): ImportPreview {
  const { table, mapping, totals, counts, shop, ignored } = plan;
  const { agrees, differs, less } = counts.sums;
  return {
    ...totals,
    file,
    shop: shop?.title,
    remembered: remembered?.name,
    service,
    alreadyCreated: known.already_exists,
    conflicts: known.conflict,
    paidOnDelivery: counts.paidOnDelivery,
    invalid: counts.invalid,
    leftOut: counts.leftOut,
    sums: { compared: agrees + differs + less, agreeing: agrees },
    warnings: [...plan.warnings, ...warnings],
    ignored,
    encoding: table.encoding,
    delimiter: table.delimiter,
    sheet: table.sheet,
    notes: [...rememberedNotes(remembered).slice(1), ...notesOf(plan)],
    mapping: [...mapping.columns, ...(mapping.lines?.columns ?? []), ...mapping.addresses.flat()].map(
      ({ header, path, isExtra }) => ({ header, path: sentPath(path, places), isExtra }),
    ),
    unsent: mapping.unsent,
  };
}

/** Off a terminal, lines are as long as those of the usual screen. */
export function lookOf(
  { system: { terminal } }: Context,
  { details = false }: Pick<ImportFlags, 'details'>,
): PreviewLook {
  return { width: terminal.stderr ? terminal.width : 80, isDetailed: details };
}
