import { CliError } from '../../errors.ts';
import type { OrderPage } from '../responses/page.ts';
import { type Brought, countIn, leftSince, type Walk } from './walk.ts';
/** What to ask for next: the page of that number, or what a link of the service asks for. */
export type Ask = { page: number } | { link: Readonly<Record<string, string>> };

/** - `ask`: another request
 *  - `end`: everything was seen; with a doubt when this service cannot show that it was
 *  - `stuck`: the service says that there is more, and no request brings it */
export type Step = { go: 'ask'; ask: Ask } | { go: 'end'; doubt?: Doubt } | { go: 'stuck' };

/** - `one_page`: it gives the same page whatever page is asked
 *  - `total`: it counts more orders than its pages hold
 *  - `grown`: it counts more than were seen, but as many were seen as it counted at first, and none left
 *  - `moving`: its last pages had only orders of earlier pages, as when it grows faster than it is read
 *  - `shrinking`: orders left the list again and again while it was read */
export type Doubt = 'one_page' | 'total' | 'grown' | 'moving' | 'shrinking';

/** `counted`: only the total says so, and a total may be wrong. */
type More = 'yes' | 'no' | 'counted' | 'unsaid';

const mostIdle = 3;
const mostReturns = 5;

/** What comes after an answer: pure, so that every service that can be thought of is a line of its table. */
export function stepAfter(before: Walk, brought: Brought): { walk: Walk; step: Step } {
  const walk = countIn(before, brought);
  const back = pageToReturnTo(before, walk, brought.page);
  if (back !== undefined) {
    const rereads = (walk.asked ?? 0) - back + 1;
    const returned = follow(walk, { page: back });
    return {
      walk: { ...returned, returns: walk.returns + 1, rereads },
      step: { go: 'ask', ask: { page: back } },
    };
  }
  const step = decide(walk, brought);
  return { walk: step.go === 'ask' ? follow(walk, step.ask) : walk, step };
}

function decide(walk: Walk, brought: Brought): Step {
  const { page, fresh, isRepeat } = brought;
  const more = saysMore(walk, brought);
  if (more === 'no') return end(walk);
  if (isRepeat && fresh === 0) return afterRepeat(walk, brought, more);
  if (walk.idle >= mostIdle) return more === 'yes' ? { go: 'stuck' } : endOrMoving(walk);
  if (more === 'unsaid' && page.orders.length === 0) return end(walk);
  const isAll = more === 'unsaid' && walk.total === walk.seen && isShort(walk, page);
  return isAll ? end(walk) : goOn(walk, brought);
}

/** Fewer orders than a page has; a page size that only repeats what was asked for says nothing. */
function isShort({ pageSize, fullest }: Walk, page: OrderPage): boolean {
  const size = page.pageSize === null || page.pageSize === pageSize ? fullest : page.pageSize;
  return page.orders.length < size;
}

function saysMore(walk: Walk, { page, next }: Brought): More {
  if (page.hasMore !== null) return page.hasMore ? 'yes' : 'no';
  if (next !== null) return 'yes';
  if (walk.hadNext) return 'no';
  return walk.total !== null && walk.total > walk.seen ? 'counted' : 'unsaid';
}

/** The same page again: pages begin at 1 and not at 0, new orders moved a whole page on, or the page is ignored. */
function afterRepeat(walk: Walk, brought: Brought, more: More): Step {
  const { page } = brought;
  if (walk.requests === 2 && walk.asked === 1) return goOn(walk, brought);
  const isEcho = page.page !== null && page.page === walk.asked;
  const isUntold = more === 'unsaid' && page.page === null && walk.total === null;
  // Nothing tells the last page from a full one that moved on.
  const mayHaveMoved = isEcho || (isUntold && page.orders.length >= walk.fullest);
  if (mayHaveMoved && walk.idle < mostIdle) return goOn(walk, brought);
  if (more !== 'unsaid') return { go: 'stuck' };
  if (walk.seen > page.orders.length) return endOrMoving(walk);
  const size = page.pageSize ?? walk.pageSize;
  const isWhole = size !== undefined && page.orders.length >= size;
  return isWhole ? { go: 'stuck' } : { go: 'end', doubt: 'one_page' };
}

function endOrMoving(walk: Walk): Step {
  return walk.isMoving ? { go: 'end', doubt: 'moving' } : end(walk);
}

function end({ returns, total, firstTotal, seen, gone }: Walk): Step {
  if (returns >= mostReturns) return { go: 'end', doubt: 'shrinking' };
  if (total === null || total <= seen) return { go: 'end' };
  const hasGrown = gone === 0 && firstTotal !== null && firstTotal <= seen;
  return { go: 'end', doubt: hasGrown ? 'grown' : 'total' };
}

function goOn(walk: Walk, { page, next }: Brought): Step {
  if (next !== null && next !== 'unusable') return { go: 'ask', ask: { link: next } };
  // A page later than the one asked for: it counts its pages from 1 and takes their numbers from 0.
  const hasSkipped = walk.requests === 2 && walk.asked !== undefined && page.page === walk.asked + 1;
  const after = walk.asked ?? page.page ?? 0;
  return { go: 'ask', ask: { page: hasSkipped ? after - 1 : after + 1 } };
}

/** Where the orders are now that stood behind those that left. */
function pageToReturnTo(before: Walk, walk: Walk, page: OrderPage): number | undefined {
  const left = leftSince(before, page);
  if (left === 0 || walk.asked === undefined || walk.isTotalWrong || walk.returns >= mostReturns)
    return undefined;
  return Math.max(walk.asked - Math.ceil(left / Math.max(1, walk.fullest)), walk.first ?? 1);
}

function follow(walk: Walk, ask: Ask): Walk {
  const number = 'page' in ask ? ask.page : Number(ask.link.page ?? Number.NaN);
  const asked = Number.isSafeInteger(number) ? number : undefined;
  return { ...walk, requests: walk.requests + 1, asked };
}

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
