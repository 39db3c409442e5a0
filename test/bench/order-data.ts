import { closeSync, openSync, writeSync } from 'node:fs';

/** A file of orders as shops export them: quoted cells with commas, Cyrillic, spaced phones, amounts and dates. */
export interface OrderFile {
  /** Rows below the header. */
  rows: number;
  rowsPerOrder: number;
  /** The names of the columns; by default those of the fields. */
  header?: string;
}

const streets = ['Энхтайваны өргөн чөлөө', 'Peace Avenue', 'Сөүлийн гудамж', 'Chinggis Avenue'];
const districts = ['СБД', 'ЧД', 'БЗД', 'ХУД'];
const notes = ['', '', 'Хаалганы код 12#, 3 давхар', 'call first', '"Ногоон" дэлгүүрийн ард'];
const fieldNames =
  'externalOrderId,customer.phone,items[].sku,items[].quantity:number,deliveryAddress.street,collectionMode,collectionAmount,requestedDeliveryDate';

/** Writes the file; the same arguments always give the same bytes. */
export function writeOrderFile(path: string, { rows, rowsPerOrder, header = fieldNames }: OrderFile): void {
  const file = openSync(path, 'w');
  const random = createRandom(7);
  let text = `${header}\n`;
  let order = '';
  for (let row = 0; row < rows; row += 1) {
    if (row % rowsPerOrder === 0) order = orderCells(row / rowsPerOrder + 1, random);
    const [before, after] = order.split('|');
    // No two lines of an order are alike.
    const sku = 500 * (row % rowsPerOrder) + random(500) + 1;
    text += `${before},TEA-${sku},${random(4) + 1},${after}\n`;
    if (text.length > 1_000_000) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

function orderCells(number: number, random: (below: number) => number): string {
  const phone = `+976 ${pick(['99', '88', '95', '80'], random)}${digits(random, 2)}-${digits(random, 4)}`;
  const note = pick(notes, random);
  const street = `${pick(streets, random)} ${random(200) + 1}`;
  const address = [pick(districts, random), street, note].filter(Boolean).join(', ').replaceAll('"', '""');
  const isPrepaid = random(3) === 0;
  const collection = isPrepaid ? 'NONE,' : `COLLECT,${(random(400) + 1) * 500}.00`;
  const date = `2027-0${random(9) + 1}-${String(random(28) + 1).padStart(2, '0')}`;
  return `UB-${number},${phone}|"${address}",${collection},${date}`;
}

/** The bodies of the orders of `writeOrderFile`, one a line, as a program would send them that does nothing else. */
export function writeOrderBodies(path: string, orders: number): void {
  const random = createRandom(7);
  const file = openSync(path, 'w');
  for (let number = 1; number <= orders; number += 1) {
    const phone = `+976 99${digits(random, 2)}-${digits(random, 4)}`;
    const body = {
      externalOrderId: `UB-${number}`,
      customer: { phone },
      items: [{ sku: `TEA-${random(500) + 1}`, quantity: random(4) + 1 }],
      deliveryAddress: { street: `${pick(districts, random)}, ${pick(streets, random)} ${random(200) + 1}` },
      collectionMode: 'COLLECT',
      collectionAmount: `${(random(400) + 1) * 500}.00`,
      requestedDeliveryDate: '2027-01-14',
    };
    writeSync(file, `${JSON.stringify(body)}\n`);
  }
  closeSync(file);
}

function pick(choices: readonly string[], random: (below: number) => number): string {
  return choices[random(choices.length)] ?? '';
}

function digits(random: (below: number) => number, count: number): string {
  return String(random(10 ** count)).padStart(count, '0');
}

/** Mulberry32: whole numbers from 0 up to, and without, `below`. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
