import names from './meaning-names.json' with { type: 'json' };

export type NamedMeaning = Exclude<Meaning, 'line'>;

/** What a column can change about an order although no field is filled from it (docs/import.md). */
export type Meaning =
  | 'quantity'
  | 'payment_method'
  | 'payment_status'
  | 'amount_due'
  | 'amount_paid'
  | 'currency'
  | 'state'
  | 'shipping_method'
  | 'address'
  | 'date'
  | 'name'
  | 'note'
  | 'line';

/** Headers in English, Mongolian, Russian and the languages of the shops, as in field-names.ts. */
export const meaningNames = Object.fromEntries(
  Object.entries(names).map(([meaning, lines]) => [meaning, lines.join('|')]),
) as Record<NamedMeaning, string>;
