import { CliError } from '../errors.ts';
import type { OrderPage } from './list-envelope.ts';
import type { Walk } from './walk.ts';
import type { Doubt } from './walk-step.ts';

/** Why there may be more than was seen, after the last page of a walk. */
export function sayDoubt(doubt: Doubt, { seen }: Walk, { total }: OrderPage): string {
  switch (doubt) {
    case 'one_page':
      return `The service gives the same page whatever page is asked for; if it has more than these ${seen} orders, they cannot be reached.`;
    case 'total':
      return `The service counts ${total} orders, and its pages hold ${seen}.`;
    case 'grown':
      return `The list grew while it was read: the service counts ${total} orders now, and ${seen} were seen.`;
    case 'moving':
      return `The pages after ${seen} orders had only those again, as when a list grows faster than it is read; some may be missing.`;
    case 'shrinking':
      return 'Orders left the list again and again while it was read; some may be missing.';
  }
}

/** The error for a walk that could not go on although there is more. */
export function incompleteWalk({ seen, total }: Walk, { orders, next }: OrderPage): CliError {
  const read = `${seen}${total === null ? '' : ` of ${total}`} orders were read`;
  const sentence =
    next !== null
      ? `The service goes on by a cursor or a link that cannot be followed: ${read}, and there are more.`
      : orders.length > 0
        ? `The service repeats its pages: ${read}.`
        : `The service says that there are more orders and brings none: ${read}.`;
  return new CliError('search_incomplete', sentence, {
    hint: 'Narrow it down with a filter, such as --created-from or --customer-phone.',
  });
}
