import { writeFileSync } from 'node:fs';
import { escapeXml, rowXml, workbookOf } from '../support/workbook.ts';

type Cells = (string | number)[];

/** A header and this many orders of 20 columns, as a spreadsheet of a shop has them. */
export function workbookTable(orders: number): Cells[] {
  const notes = Array.from({ length: 8 }, (_, index) => `Тэмдэглэл ${index + 1}`);
  const header = [
    ...['externalOrderId', 'customer.phone', 'customer.name', 'items[].sku', 'items[].name'],
    ...['items[].quantity:number', 'collectionMode', 'collectionAmount', 'total', 'requestedDeliveryDate'],
    ...['deliveryAddress.city', 'deliveryAddress.street', ...notes],
  ];
  return [header, ...Array.from({ length: orders }, (_, index) => orderOf(index))];
}

function orderOf(index: number): Cells {
  const amount = 1000 + ((index * 7919) % 89_000);
  const notes = Array.from(
    { length: 8 },
    (_, column) => `Өгөгдөл ${(index * (column + 13)) % 30_000}-${column}`,
  );
  return [
    ...[`UB-${100_000 + index}`, 99_000_000 + ((index * 7907) % 1_000_000), `Б.Өлзийбаяр ${index % 5000}`],
    ...[`TEA-${100 + (index % 300)}`, `Сүүтэй цай, ${index % 300} ширхэг`, 1 + (index % 4)],
    ...['COLLECT', amount, amount, `2030-12-${10 + (index % 20)}`],
    ...['Улаанбаатар', `Сөүлийн гудамж ${index % 200}, ${index % 90} тоот`, ...notes],
  ];
}

/** Writes the table as a workbook whose texts are shared by the cells, as Excel does, or stand in each cell. */
export function writeWorkbook(path: string, table: readonly Cells[], texts: 'shared' | 'in the cells'): void {
  writeFileSync(path, texts === 'shared' ? withSharedTexts(table) : withTextsInCells(table));
}

function withSharedTexts(table: readonly Cells[]): Buffer {
  const numbers = new Map<string, number>();
  const rows = table.map((cells, row) => {
    const all = cells.map((cell) => {
      if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
      const number = numbers.get(cell) ?? numbers.size;
      numbers.set(cell, number);
      return `<c t="s"><v>${number}</v></c>`;
    });
    return `<row r="${row + 1}">${all.join('')}</row>`;
  });
  const strings = [...numbers.keys()].map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('');
  const sheets = [{ name: 'Orders', xml: `<sheetData>${rows.join('')}</sheetData>` }];
  return workbookOf({ sheets, strings });
}

function withTextsInCells(table: readonly Cells[]): Buffer {
  const rows = table.map((cells, row) => rowXml(row + 1, cells)).join('');
  return workbookOf({ sheets: [{ name: 'Orders', xml: `<sheetData>${rows}</sheetData>` }] });
}
