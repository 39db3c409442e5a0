import { type Sentence, type Text, t } from '../advice/advice.ts';
import type { LeftOutReason } from './choices.ts';

/** Also orders of which a mark in the file may say that they are not to be delivered. */
type LeftOutKind = LeftOutReason | 'marked';

const texts: Record<LeftOutKind, (count: number) => Sentence> = {
  cancelled: (count) => t`${count} cancelled`,
  voided: (count) => t`${count} voided`,
  expired: (count) => t`${count} expired`,
  refunded: (count) => t`${count} refunded`,
  returned: (count) => t`${count} returned`,
  test: (count) => t`${count} test`,
  draft: (count) => t`${count} draft`,
  fulfilled: (count) => t`${count} fulfilled`,
  completed: (count) => t`${count} completed`,
  needs_no_shipping: (count) => t`${count} needs no shipping`,
  pickup: (count) => t`${count} pickup`,
  unpaid: (count) => t`${count} unpaid`,
  rule: (count) => t`${count} by your answers`,
  marked: (count) => t`${count} marked`,
};

/** `8 fulfilled`, `4 cancelled`: the most frequent first. */
export function listLeftOut(counts: Readonly<Partial<Record<LeftOutKind, number>>>): Text[] {
  return (Object.entries(counts) as [LeftOutKind, number][])
    .sort(([, left], [, right]) => right - left)
    .map(([kind, count]) => texts[kind](count));
}
