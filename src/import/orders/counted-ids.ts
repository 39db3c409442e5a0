import { parse } from 'node:path';
import { fills } from '../mapping/column.ts';
import { isRankHeader } from '../mapping/guess/guess-by-header.ts';
import { headerProblem } from '../mapping/header.ts';
import type { MappedHeader } from '../mapping/map-header.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow } from '../read/read-table.ts';
import type { PlanOptions, Totals } from './plan.ts';

/**
 * Order IDs that are 1, 2, 3 and so on in the order of the file: those of the next file would be the same. Under the
 * header of row numbers (`№`) that is an error, unless the mapping has a prefix or says that there is none.
 */
export function createCountedIds({ columns }: MappedHeader, { fileName }: Pick<PlanOptions, 'fileName'>) {
  const column = columns.find(fills('externalOrderId'));
  const prefix = column?.rule?.prefix;
  const before = prefix ?? '';
  let count = 0;
  let isCounting = column !== undefined;
  return {
    /** Each order of the file, in its order. */
    add: (externalOrderId: string): void => {
      if (!isCounting) return;
      count += 1;
      const text = externalOrderId.startsWith(before) ? externalOrderId.slice(before.length) : '';
      isCounting = /^0*[1-9]\d*(?:\.0*)?$/.test(text) && Number(text) === count;
    },
    isCounting: (): boolean => isCounting && count > 0,
    problems: (header: HeaderRow, totals: Totals): Problem[] => {
      if (column === undefined || !isCounting || count === 0 || prefix !== undefined) return [];
      if (!isRankHeader(column.header)) return [];
      const proposed = `${dayOf(totals) ?? nameOf(fileName)}-`;
      const ids = count === 1 ? '1' : `1 to ${count}`;
      return [
        {
          ...headerProblem(header, column.index, {
            code: 'ids_count_up',
            problem: `only counts the rows: ${ids}. The next file counts from 1 again, and its orders would be taken for these`,
            fix: `add --id-prefix ${proposed}, so that the first order is ${proposed}1; --id-prefix none if these are the shop’s own order IDs`,
          }),
          cures: [['--id-prefix', proposed]],
        },
      ];
    },
  };
}

/** The one delivery date of all orders. */
function dayOf({ orders, dated, firstDate, lastDate }: Totals): string | undefined {
  return orders > 0 && dated === orders && firstDate === lastDate ? firstDate : undefined;
}

const maxNameLength = 40;

/** A file name in letters, digits and hyphens, so that it needs no quotes. */
function nameOf(fileName: string): string {
  const plain = parse(fileName)
    .name.normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, maxNameLength)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'orders' : plain;
}
