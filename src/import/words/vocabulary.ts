import type { LeftOutReason } from '../choices.ts';

/** What the text of a cell says. */
export type Verdict =
  | 'paid'
  | 'partly_paid'
  | 'open'
  /** Words that people use for both: asked about, with the likelier one first. */
  | 'perhaps_paid'
  | 'perhaps_open'
  | 'on_delivery'
  /** Cash, but where it changes hands is not said. */
  | 'cash'
  /** A method that does not say whether the order is paid. */
  | 'other_method'
  /** The order is still to be delivered. */
  | 'deliver'
  | LeftOutReason
  | 'mnt'
  | 'other_currency'
  | 'total'
  | 'yes'
  | 'no'
  | 'nothing'
  /** A known word among others, which may turn it into something else: never decided without a question. */
  | 'unclear'
  | 'unknown';

/** What a column is about: words count only in columns that are about them. */
export type WordMeaning =
  | 'payment_status'
  | 'payment_method'
  | 'amount_due'
  | 'amount_paid'
  | 'state'
  /** Shops write "paid" and "not paid" among the states of an order. */
  | 'state_or_payment'
  | 'shipping_method'
  /** A column named for delivery that holds states. */
  | 'shipping_or_state'
  | 'currency'
  | 'address'
  | 'customer_id'
  | 'note'
  /** The first cell of a row that may sum up the others. */
  | 'total'
  /** Yes and no; what they say is in the header. */
  | 'tick'
  /** A column whose meaning is not known: whatever would change an order. */
  | 'any'
  /** No words decide: ticks and days alone do. */
  | 'mark';
