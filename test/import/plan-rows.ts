import { type FilePlan, type JsonOrder, type PlanFileOptions, planFile } from '../support/plan-file.ts';

export interface RowsOptions extends PlanFileOptions {
  flags?: readonly string[];
  /** What stands between the cells of `rows`. */
  between?: string;
}

/** Plans the import of rows whose cells have `|` between them, the header first. */
export function planRows(
  rows: readonly string[],
  { flags = [], between = '|', ...options }: RowsOptions = {},
): Promise<FilePlan> {
  const width = rows[0]?.split(between).length ?? 0;
  const lines = rows.map((row) => {
    const cells = row.split(between);
    const padded = [...cells, ...Array<string>(Math.max(0, width - cells.length)).fill('')];
    return padded.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join();
  });
  return planFile({ text: `${lines.join('\n')}\n` }, ['--delimiter', ',', ...flags], options);
}

/** Orders that lack nothing, with one more column. */
export function planColumn(header: string, cells: readonly string[], options: RowsOptions = {}) {
  const rows = cells.map((cell, index) => `A-${index}~99112233~TEA-1~NONE~${cell}`);
  return planRows([`externalOrderId~customer.phone~items[].sku~collectionMode~${header}`, ...rows], {
    between: '~',
    ...options,
  });
}

/** `code Header` of each error of the file and its header. */
export function headerErrors({ problems }: FilePlan): string[] {
  return problems
    .filter(({ at, severity }) => !at.startsWith('row ') && severity === 'error')
    .map(({ at, code }) => `${code} ${at.replace(/^(?:header|file)(?:, (?:column \w+ )?)?/, '')}`.trim());
}

/** Of each order `COLLECT 500`, `NONE`, `left out: unpaid`, or the codes of its errors. */
export function outcomes({ orders }: FilePlan): string[] {
  return orders.map(({ leftOut, invalid, order = {} }) => {
    if (leftOut !== undefined) return `left out: ${leftOut}`;
    return invalid ?? [order.collectionMode, order.collectionAmount].filter(Boolean).join(' ');
  });
}

/** The lines of an order, such as `2 x TEA-001 Tea`. */
export function linesOf({ items = [] }: JsonOrder = {}): string {
  const texts = items.map(({ quantity, sku, name }: JsonOrder) => {
    const what = [sku, name].filter(Boolean).join(' ');
    return [quantity, what].filter(Boolean).join(' x ');
  });
  return texts.join(', ');
}
