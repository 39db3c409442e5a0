import type { Claim } from './claim.ts';
import { readTarget } from './claim.ts';
import type { Header } from './header.ts';

/** Fields of a line by what the plugins of WooCommerce call them. */
const fields: Record<string, string> = {
  name: 'name',
  sku: 'sku',
  quantity: 'quantity:number',
  qty: 'quantity:number',
  price: 'unitPrice',
  cost: 'unitPrice',
};
const named = Object.keys(fields).join('|');
/** A column for each field of each line. */
const shapes = [
  new RegExp(`^line_?item_(?<place>\\d{1,3})_(?<field>${named})$`, 'i'),
  new RegExp(`^product item (?<place>\\d{1,3}) (?<field>${named})$`, 'i'),
  new RegExp(`^(?:(?:item|product) )?(?<field>${named}) ?#(?<place>\\d{1,3})$`, 'i'),
];
/** A column for each line, its cells such as `name:Tea|sku:TEA-001|quantity:2`. */
const packed = /^line_?item_(?<place>\d{1,3})$/i;
const packedFields = ['name', 'sku', 'quantity'];

/** The columns of exports that have one row for each order, and its lines side by side. */
export function claimWideLines(header: Header, isFree: (index: number) => boolean): Claim[] {
  return header.cells.flatMap((name, index): Claim[] => {
    if (!isFree(index)) return [];
    const whole = packed.exec(name)?.groups;
    if (whole !== undefined) {
      return packedFields.map((part) => claim(index, whole.place, part, { part }));
    }
    const { place, field = '' } =
      shapes.map((shape) => shape.exec(name)?.groups).find((found) => found !== undefined) ?? {};
    return place === undefined ? [] : [claim(index, place, field.toLowerCase())];
  });
}

function claim(index: number, place: string | undefined, field: string, rule?: Claim['rule']): Claim {
  return {
    ...readTarget(`items[${Number(place) - 1}].${fields[field]}`),
    ...{ indexes: [index], authority: 'preset' },
    ...(rule === undefined ? {} : { rule }),
  };
}
