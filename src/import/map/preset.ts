import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

/** What a shop system calls the fields of an order in its exports. */
export interface Preset {
  /** Field, with its type when it is not text → the columns that may hold it; the first with text is taken. */
  columns: Record<string, PresetField>;
  /** The columns that may say how an order is handed over. */
  shippingMethod: readonly string[];
  /** The columns that may name the currency. */
  currency: readonly string[];
}

/** Names of one column, or several such columns to be joined. */
export type PresetField = readonly string[] | { join: string; of: readonly (readonly string[])[] };

export const presets: Record<'shopify' | 'woocommerce', Preset> = { shopify, woocommerce };
export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets) as PresetName[];

/** How both shops and their merchants name it when the customer comes to fetch the order. */
export function isPickup(shippingMethod: string): boolean {
  return /\bpick[\s_-]?up\b|\bin[\s-]store\b|\bstore collection\b|\bclick\s*(?:&|and)\s*collect\b|өөрөө авах|очиж авах/i.test(
    shippingMethod,
  );
}
