import type { LeftOutReason } from '../choices.ts';
import { classifier, phrasesOf, spellPlainly, wordsOf } from './phrases.ts';
import type { Verdict } from './vocabulary.ts';
import lists from './words.json' with { type: 'json' };

export const knownState = wordsOf<LeftOutReason | 'deliver'>(lists.orderStates);
/** Payment words that shops write for an order that is to be delivered. */
const paidStates = new Set(phrasesOf(lists.paidStates));
const classesOf = classifier<keyof typeof lists.stateClasses>(lists.stateClasses);
const stateFillers = new RegExp(`(?<!\\S)(?:${phrasesOf(lists.stateFillers).join('|')})(?!\\S)`, 'g');

export function stateOf(words: string): Verdict {
  const found = knownState(words);
  if (found !== undefined) return found;
  const shorter = words.replace(stateFillers, ' ').replace(/ +/g, ' ').trim();
  const without = shorter === words ? undefined : knownState(shorter);
  if (without !== undefined) return without;
  const [first = '', ...rest] = words.split(' ');
  const isNegated = classesOf(first)?.has('not') === true;
  if (isNegated && knownState(rest.join(' ')) === 'fulfilled') return 'deliver';
  return stateInWords(words);
}

/** `Handed to the courier`, `хүргэгчид өгөөгүй`: only when every word is understood. */
function stateInWords(words: string): Verdict {
  const found = classesOf(words);
  if (found === undefined) return 'unknown';
  const isGiven = found.has('given') && (found.has('courier') || found.has('round') || found.has('handing'));
  const isReceived = found.has('given') && found.has('receiving');
  const isSent = found.has('sent') || isGiven || isReceived || (found.has('ongoing') && found.size === 2);
  const isAhead = found.has('unsent') || found.has('future') || found.has('waiting') || found.has('not');
  if (isAhead)
    return found.has('unsent') || found.has('future') || found.has('courier') ? 'deliver' : 'unknown';
  return isSent ? 'fulfilled' : 'unknown';
}

const knownShipping = wordsOf<Verdict>(lists.shipping);
const plainDelivery = new RegExp(`^(?:${lists.plainDeliveryPatterns.join('|')})$`);

export function shippingOf(words: string): Verdict {
  return knownShipping(words) ?? (plainDelivery.test(spellPlainly(words)) ? 'deliver' : 'unknown');
}

export function isPaidState(words: string): boolean {
  return paidStates.has(words);
}
