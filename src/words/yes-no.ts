import { t } from '../advice/advice.ts';
import { normaliseWords, wordsOf } from './phrases.ts';
import lists from './yes-no.json' with { type: 'json' };

/** What a question asks, which people answer by its verb: `авна`, `цуцал`. */
export type AskedVerb = keyof typeof lists.verbs;

const { verbs, ticks, unclear, yes, no } = lists;
// Cyrillic у is ү on a keyboard without one, so no, and looks like y.
const generalMeaning = wordsOf<'unclear' | 'yes' | 'no'>({
  unclear,
  yes: [...ticks.yes, ...yes],
  no: [...ticks.no, ...no],
});
const meaningFor = {
  collect: wordsOf(verbs.collect),
  create: wordsOf(verbs.create),
  cancel: wordsOf(verbs.cancel),
  correct: wordsOf(verbs.correct),
};

export const yesNoProblem = t`Please answer yes or no.`;

/** What was typed at a yes/no question; undefined is to be asked again. Ticks of files are read by `verdict`. */
export function readYesNo(text: string, verb?: AskedVerb): boolean | undefined {
  const words = normaliseWords(text);
  const meaning = (verb === undefined ? undefined : meaningFor[verb](words)) ?? generalMeaning(words);
  return meaning === undefined || meaning === 'unclear' ? undefined : meaning === 'yes';
}
