import { orderLines, textField } from '../../orders/order.ts';
import { fills } from '../mapping/column.ts';
import { headerProblem } from '../mapping/header.ts';
import type { MappedHeader } from '../mapping/map-header.ts';
import { clip } from '../mapping/meanings.ts';
import type { Problem } from '../problem.ts';
import type { HeaderRow } from '../read/read-table.ts';
import type { OrderToSend } from './plan.ts';

/** Further ones are not compared. */
const maxTexts = 10_000;

/** Finds the SKUs of some lines that other lines, without a SKU, have as the name of their product. */
export function createSkusAsNames({ columns, lines }: MappedHeader) {
  const all = [...columns, ...(lines?.columns ?? [])];
  const sku = all.find(fills('items[].sku'));
  const name = all.find(fills('items[].name'));
  const skus = new Set<string>();
  const names = new Set<string>();
  return {
    add: ({ order }: OrderToSend): void => {
      if (sku === undefined || name === undefined) return;
      for (const line of orderLines(order)) {
        const own = textField(line, 'sku');
        const [set, text] = own === undefined ? [names, textField(line, 'name')] : [skus, own];
        if (text !== undefined && set.size < maxTexts) set.add(text.toLowerCase());
      }
    },
    problems: (header: HeaderRow): Problem[] => {
      const found = [...names].filter((text) => skus.has(text));
      if (sku === undefined || name === undefined || found.length === 0) return [];
      const shown = found.slice(0, 3).map(clip).join(', ');
      const entry = JSON.stringify({ 'items[].sku': { from: [sku.header, name.header] } }).slice(1, -1);
      const problem = `holds names that are SKUs of other lines, in lines without a SKU: ${shown}`;
      const fix = `fill in the SKUs, or write ${entry} into "columns" of a mapping file (--map)`;
      return [headerProblem(header, name.index, { code: 'sku_as_name', problem, fix })];
    },
  };
}
