import { type Say, t } from '../../advice/advice.ts';
import { formatAmount } from '../../orders/decimal.ts';
import { jsonText, member } from '../../orders/json.ts';
import { readAmountDue } from '../../orders/shown-values.ts';
import type { FieldPaths } from '../../orders/unnamed-fields.ts';
import { joined, lineText } from '../../output/fields.ts';
import {
  formatCard,
  labels,
  type OrderSource,
  orderParts,
  otherAddress,
  sourceOf,
  textsOf,
} from '../../output/order-view.ts';
import type { Paper } from '../../output/reporter.ts';
import { formatTable, maxValueLength, type TableColumn } from '../../output/table.ts';

interface Column extends Omit<TableColumn, 'name'> {
  /** Its name in a spreadsheet. */
  field: string;
  text(source: OrderSource): string | string[] | undefined;
}

type ColumnName = (typeof columnsOf)[Paper['name']][number];

const columns: Record<ColumnName, Column> = {
  number: { field: 'orderNumber', isIdentifier: true, text: orderParts.number },
  'own id': { field: 'externalOrderId', isIdentifier: true, text: orderParts['own id'] },
  status: { field: 'status', isIdentifier: true, text: orderParts.status },
  phone: { field: 'customer.phone', isIdentifier: true, text: ({ take }) => take('customer.phone') },
  name: { field: 'customer.name', isWrapped: true, text: ({ take, fieldPaths }) => take(fieldPaths.name) },
  address: {
    field: 'address',
    isWrapped: true,
    text: (source) => orderParts.address(source) || otherAddress(source),
  },
  items: {
    field: 'items',
    isWrapped: true,
    text: ({ items, take, fieldPaths }) =>
      items.length > 0 ? items.map((line) => lineText(line, fieldPaths)) : (take('items') ?? '?'),
  },
  'to collect': {
    field: 'collectionAmount',
    isAmount: true,
    isIdentifier: true,
    text: ({ order }) =>
      formatAmount(readAmountDue(order) ?? jsonText(member(order, 'collectionAmount') ?? '?')),
  },
  note: { field: 'note', isWrapped: true, text: orderParts.note },
};

const heads = { ...labels, name: t`name` };

const columnsOf = {
  packing: ['number', 'own id', 'status', 'items', 'note'],
  courier: ['number', 'status', 'phone', 'name', 'address', 'items', 'to collect', 'note'],
} as const;

/** Narrower texts are hard to read. */
const minTextColumn = 12;

export function createPaper(
  name: Paper['name'],
  { fieldPaths, say }: { fieldPaths: FieldPaths; say: Say },
): Paper {
  const shown = columnsOf[name].map((column) => ({
    ...columns[column],
    name: say(heads[column]),
    minWidth: minTextColumn,
  }));
  const texts: Paper['texts'] = (order) => {
    const source = sourceOf(order, { fieldPaths, now: undefined, say, isWhole: false });
    return shown.map(({ text }) => textsOf(text(source)));
  };
  return {
    name,
    columns: shown,
    texts,
    cells: (order) =>
      texts(order).map((cell, index) =>
        shown[index]?.isAmount ? (readAmountDue(order) ?? '') : joined(cell),
      ),
    format: (orders, look) => {
      const all = orders.map(texts);
      const cardOf = (cells: string[][]) =>
        cells.flatMap((cell, column) =>
          cell.map((text, index) => ({ path: index === 0 ? (shown[column]?.name ?? '') : '', text })),
        );
      const cards = () =>
        all.map((cells) => formatCard(cardOf(cells), { ...look, maxLength: maxValueLength })).join('\n\n');
      // The number of pieces stays with what it counts.
      const rows = all.map((cells) =>
        cells.map((cell) => joined(cell.map((text) => text.replace(' × ', '\u00a0×\u00a0')))),
      );
      return formatTable(shown, rows, { ...look, cards }).text;
    },
  };
}
