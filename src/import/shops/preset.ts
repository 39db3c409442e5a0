import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

/** What a shop system calls the fields of an order in its exports. */
export interface Preset {
  /** Field, with its type when it is not text → the columns that may hold it; the first with text is taken. */
  columns: Record<string, PresetField>;
  /** Its lines may lie side by side in columns of their own. */
  mayBeWide: boolean;
  /** The columns that may say how an order is handed over. */
  shippingMethod: readonly string[];
  /** The columns that tell an order that is off in the shop, and what they say then. */
  cancelled: { columns: readonly string[]; when: string | readonly string[] };
  /** The columns that may name the currency. */
  currency: readonly string[];
}

/** Names of one column, or several such columns to be joined. */
export type PresetField = readonly string[] | { join: string; of: readonly (readonly string[])[] };

export const presets: Record<'shopify' | 'woocommerce', Preset> = { shopify, woocommerce };
export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

const pickups = [
  // Shops write it with spaces, hyphens and underscores, alone or inside other names.
  '(?<![a-z])pick[\\s_-]?up(?![a-z])',
  '(?<![a-z])in[\\s_-]store(?![a-z])',
  '(?<![a-z])(?:store|self)[\\s_-]collect(?:ion)?(?![a-z])',
  '(?<![a-z])click[\\s_-]*(?:&|and)[\\s_-]*collect(?![a-z])',
  '(?<![a-z])curbside(?![a-z])',
  '(?:өөрөө|өөрийн биеэр)\\s+(?:(?:ирж|очиж)\\s+)?ав',
  '(?:очиж|ирж)\\s+ав',
  '(?:дэлгүүр|салбар|агуулах|оффис)(?:аас|ээс|оос|өөс)\\s+ав',
  'самовывоз',
];
const pickup = new RegExp(pickups.join('|'), 'i');

/** How both shops and their merchants name it when the customer comes to fetch the order. */
export function isPickup(shippingMethod: string): boolean {
  return pickup.test(shippingMethod);
}
