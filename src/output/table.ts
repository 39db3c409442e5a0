import { moneyFields } from '../orders/order.ts';
import { cleanCell } from './clean-text.ts';
import type { Style } from './colour.ts';
import { fitColumns } from './fit-columns.ts';
import { importCounts } from './import-rows.ts';
import { formatRecord } from './record.ts';
import { drawRows, measureColumns } from './text-grid.ts';

export interface TableLook {
  /** Columns of the terminal. */
  width: number;
  header: boolean;
  style: Style;
}

export interface TablePart {
  text: string;
  /** How wide the contents have been so far: hand them to the next part. */
  contentWidths: number[];
}

const amounts = new Set<string>([...moneyFields, 'orders', ...importCounts]);

/**
 * Rows as a table that fits the terminal, or as one card each where no table fits.
 * A part continues the one before it without a header as long as its cells fit the same widths.
 */
export function formatTable(
  columns: string[],
  rows: string[][],
  { width, header, style }: TableLook,
  before: number[] = [],
): TablePart {
  const names = columns.map(cleanCell);
  const cells = rows.map((row) => row.map(cleanCell));
  const clipped = cells.map((row) => row.map((cell) => clip(cell, width)));
  const contentWidths = measureColumns(clipped).map((cellWidth, index) =>
    Math.max(cellWidth, before[index] ?? 0),
  );
  const headerWidths = header ? measureColumns([names.map((name) => clip(name, width))]) : [];

  const fitTo = (contents: number[]) => fitColumns(columns, headerWidths, contents, width);
  const widths = fitTo(contentWidths);
  const separator = before.length > 0 ? '\n' : '';
  if (!widths) {
    const cards = cells.map((row) =>
      formatRecord(
        row.map((text, index) => ({ path: names[index] ?? '', text })),
        style,
      ),
    );
    return { text: separator + cards.join('\n\n'), contentWidths };
  }

  const alignments = columns.map((name) => (amounts.has(name) ? 'right' : 'left'));
  const draw = (lines: string[][]) => drawRows(lines, widths, alignments).map((line) => line.trimEnd());
  const body = draw(clipped).join('\n');
  const isContinued = before.length > 0 && String(fitTo(before)) === String(widths);
  if (!header || isContinued) return { text: body, contentWidths };
  const head = draw([names]).map(style.bold).join('\n');
  return { text: `${separator}${head}\n${body}`, contentWidths };
}

/** Layout takes long over cells that cannot be shown whole anyway. */
function clip(cell: string, width: number): string {
  return cell.length > width ? `${cell.slice(0, width)}…` : cell;
}
