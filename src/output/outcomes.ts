import { type Text, t } from '../advice/advice.ts';
import { inWords } from '../clean-text.ts';

const outcomeTexts: Readonly<Record<string, Text>> = {
  created: t`created`,
  already_exists: t`already exists`,
  conflict: t`conflict`,
  rejected: t`rejected`,
  invalid: t`invalid`,
  cancelled: t`cancelled`,
  already_cancelled: t`already cancelled`,
  cancel_pending: t`not cancelled yet`,
  refused: t`refused`,
  not_found: t`not found`,
  unknown: t`unknown`,
  not_sent: t`not sent`,
  read: t`read`,
  'looked up': t`looked up`,
};

/** The outcome of an order, for a person. */
export function outcomeText(name: string): Text {
  return outcomeTexts[name] ?? inWords(name);
}
