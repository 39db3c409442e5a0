import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, type PageRead, startWalk, type WalkAction } from '../../../src/api/pages/walk.ts';

/** One response: how many orders it has, how many of them are new, and what it states. */
interface Stated {
  orders: number;
  newOrders?: number;
  isRepeat?: boolean;
  page?: number;
  pageSize?: number;
  total?: number;
  hasMore?: boolean;
  next?: PageRead['next'];
}

const full: Stated = { orders: 3 };
const none: Stated = { orders: 0 };
/** A copy of the page before. */
const repeat: Stated = { orders: 3, newOrders: 0, isRepeat: true };
/** Only known orders, but no copy of the page before. */
const old: Stated = { orders: 3, newOrders: 0 };

function toPageRead({
  orders,
  newOrders = orders,
  isRepeat = false,
  next = null,
  ...stated
}: Stated): PageRead {
  const page = {
    orders: Array.from({ length: orders }, () => ({})),
    page: null,
    pageSize: null,
    total: null,
    hasMore: null,
    next: null,
    ...stated,
  };
  return { page, next, newOrders, isRepeat };
}

/** The action after each response, for a first request with this page number and page size. */
function play(responses: Stated[], pageNumber?: number, pageSize?: number): string[] {
  let walk = startWalk(pageNumber, pageSize);
  return responses.map((response) => {
    const after = advance(walk, toPageRead(response));
    walk = after.walk;
    return describeAction(after.action);
  });
}

function describeAction(action: WalkAction): string {
  if (action.kind === 'end') return action.doubt ?? 'end';
  if (action.kind === 'stuck') return 'stuck';
  return 'page' in action.next ? String(action.next.page) : new URLSearchParams(action.next.link).toString();
}

const numbered = (page: number, stated: Partial<Stated> = {}): Stated => ({ ...full, page, ...stated });

describe('the number of the first page', () => {
  it.each<[string, Stated[], string[]]>([
    ['stated as 1', [numbered(1), numbered(2), { ...none, page: 3 }], ['2', '3', 'end']],
    ['stated as 0', [numbered(0), numbered(1), { ...none, page: 2 }], ['1', '2', 'end']],
    ['not stated, 0: page 1 is another page', [full, full, none], ['1', '2', 'end']],
    ['not stated, 1: page 1 is the first page again', [full, repeat, full, none], ['1', '2', '3', 'end']],
    [
      'stated from 0, requested from 1',
      [numbered(0), { ...repeat, page: 0 }, numbered(1), { ...none, page: 2 }],
      ['1', '2', '3', 'end'],
    ],
    [
      'stated from 1, requested from 0: page 2 says that it is the third',
      [numbered(1), numbered(3), numbered(2), { ...old, page: 3 }, numbered(4), { ...none, page: 5 }],
      ['2', '1', '2', '3', '4', 'end'],
    ],
  ])('%s', (_name, responses, steps) => {
    expect(play(responses)).toEqual(steps);
  });

  it('is that of the first request', () => {
    expect(play([full, full, none], 2)).toEqual(['3', '4', 'end']);
    expect(play([full, full, none], 0)).toEqual(['1', '2', 'end']);
  });
});

describe('a walk ends after', () => {
  it.each<[string, Stated[], string[]]>([
    ['an empty list', [none], ['end']],
    ['an empty list with a total of 0', [{ ...none, page: 1, total: 0 }], ['end']],
    [
      'a page with the statement that there is no more',
      [numbered(1, { hasMore: true }), numbered(2, { hasMore: false })],
      ['2', 'end'],
    ],
    [
      'the total was read and the page is short',
      [
        { orders: 3, total: 4 },
        { orders: 1, total: 4 },
      ],
      ['1', 'end'],
    ],
    ['the total was read on one page that is not full', [{ orders: 3, pageSize: 20, total: 3 }], ['end']],
    [
      'one more page when the total was read and the page is full',
      [
        { ...full, total: 3 },
        { ...none, total: 3 },
      ],
      ['1', 'end'],
    ],
    [
      'a page without a link after pages with links',
      [{ ...full, next: { page: '2' } }, full],
      ['page=2', 'end'],
    ],
    [
      'a repeated last page',
      [numbered(1), { ...numbered(2), orders: 2 }, { ...repeat, orders: 2, page: 2 }],
      ['2', '3', 'end'],
    ],
    [
      'a last page repeated three times, when nothing is stated',
      [full, full, repeat, repeat, repeat],
      ['1', '2', '3', '4', 'end'],
    ],
    ['a repeated short last page', [full, { orders: 2 }, { ...repeat, orders: 2 }], ['1', '2', 'end']],
  ])('%s', (_name, responses, steps) => {
    expect(play(responses)).toEqual(steps);
  });
});

describe('a walk continues after', () => {
  it.each<[string, Stated[], string[]]>([
    ['a short page', [numbered(1), { orders: 1, page: 2 }, numbered(3)], ['2', '3', '4']],
    [
      'an empty page, when the service says that there is more',
      [numbered(1, { hasMore: true }), { ...none, hasMore: true }, numbered(3)],
      ['2', '3', '4'],
    ],
    [
      'an empty page, when the total was not reached',
      [
        { ...full, total: 6 },
        { ...none, total: 6 },
        { ...full, total: 6 },
      ],
      ['1', '2', '3'],
    ],
    [
      'an empty page with a link',
      [{ ...full, next: { c: '1' } }, { ...none, next: { c: '2' } }, full],
      ['c=1', 'c=2', 'end'],
    ],
    [
      'the last page, when the total was not reached',
      [
        { ...full, total: 5, hasMore: false },
        { orders: 2, total: 5, hasMore: false },
      ],
      ['1', 'end'],
    ],
    [
      'each page that is called the last, when the total was not reached',
      [
        { ...full, total: 7, hasMore: false },
        { ...full, total: 7, hasMore: false },
        { ...none, total: 7, hasMore: false },
      ],
      ['1', '2', 'total'],
    ],
    ['an empty first page, when there is more', [{ ...none, hasMore: true }, full], ['1', '2']],
    [
      'a whole page of new orders was inserted',
      [numbered(1), { ...repeat, page: 2 }, numbered(3)],
      ['2', '3', '4'],
    ],
    ['a few new orders were inserted', [numbered(1), { orders: 3, newOrders: 1 }, full], ['2', '3', '4']],
    [
      'a total that is the length of the page',
      [{ ...full, total: 3 }, { ...full, total: 3 }, { orders: 1, total: 1 }, none],
      ['1', '2', '3', 'end'],
    ],
    ['a total that is too small', [{ ...full, total: 2 }, { ...full, total: 2 }, none], ['1', '2', 'end']],
    [
      'a total that stops counting',
      [{ ...full, total: 6 }, { ...full, total: 6 }, { ...full, total: 6 }, none],
      ['1', '2', '3', 'end'],
    ],
  ])('%s', (_name, responses, steps) => {
    expect(play(responses)).toEqual(steps);
  });
});

describe('a walk that cannot show that all was read', () => {
  const more = { hasMore: true };
  const last5 = { ...full, total: 5, hasMore: false };
  it.each<[string, Stated[], string[]]>([
    ['the same page for every number', [full, repeat, repeat, repeat], ['1', '2', '3', 'one_page']],
    ['the same page, and it states its number', [numbered(1), { ...repeat, page: 1 }], ['2', 'one_page']],
    [
      'the same page, and the service says that there is more',
      [
        { ...full, ...more },
        { ...repeat, ...more },
        { ...repeat, ...more },
      ],
      ['1', '2', 'stuck'],
    ],
    [
      'the same page, and the total was not reached',
      [
        { ...full, total: 9 },
        { ...repeat, total: 9 },
        { ...repeat, total: 9 },
      ],
      ['1', '2', 'total'],
    ],
    [
      'the same page, as full as pages are',
      [numbered(1, { pageSize: 3 }), { ...repeat, page: 1, pageSize: 3 }],
      ['2', 'stuck'],
    ],
    [
      'the same page, not as full as pages are',
      [numbered(1, { pageSize: 4 }), { ...repeat, page: 1, pageSize: 4 }],
      ['2', 'one_page'],
    ],
    [
      'a cursor without a link',
      [
        { ...full, next: 'unusable' },
        { ...repeat, next: 'unusable' },
        { ...repeat, next: 'unusable' },
      ],
      ['1', '2', 'stuck'],
    ],
    [
      'a link to the same page',
      [
        { ...full, next: { c: '1' } },
        { ...repeat, next: { c: '1' } },
      ],
      ['c=1', 'stuck'],
    ],
    [
      'links in a circle',
      [{ ...full, next: { c: '1' } }, ...[2, 1, 2].map((c) => ({ ...old, next: { c: `${c}` } }))],
      ['c=1', 'c=2', 'c=1', 'stuck'],
    ],
    [
      'endless empty pages',
      [{ ...full, ...more }, ...Array(3).fill({ ...none, ...more })],
      ['1', '2', '3', 'stuck'],
    ],
    [
      'a total that the pages do not reach',
      [{ ...full, total: 5 }, ...Array(2).fill({ ...none, total: 5 })],
      ['1', '2', 'total'],
    ],
    [
      'a total that the last page does not reach, nor the page after it',
      [last5, { ...none, total: 5, hasMore: false }],
      ['1', 'total'],
    ],
    [
      'a total that the last page does not reach, when pages begin at 1',
      [last5, { ...last5, ...repeat }, { ...last5, ...repeat }],
      ['1', '2', 'total'],
    ],
  ])('%s', (_name, responses, steps) => {
    expect(play(responses)).toEqual(steps);
  });

  it('does not trust a page size that only repeats the requested one', () => {
    const echo: Stated = { ...full, pageSize: 50, total: 3 };
    expect(play([echo], undefined, 50)).toEqual(['1']);
    expect(play([echo], undefined, 100)).toEqual(['end']);
    expect(play([echo, { ...echo, orders: 2, total: 5 }], undefined, 50)).toEqual(['1', 'end']);
  });

  it('is stuck at copies of a page as long as the requested page size', () => {
    expect(play([full, repeat, repeat, repeat], undefined, 3)).toEqual(['1', '2', '3', 'stuck']);
    expect(play([full, repeat, repeat, repeat], undefined, 4)).toEqual(['1', '2', '3', 'one_page']);
  });
});

describe('a list that shrinks while it is read', () => {
  const at = (page: number, total: number, stated: Partial<Stated> = {}) =>
    numbered(page, { total, ...stated });

  it('is read to its end, with a doubt, since orders may have moved to earlier pages', () => {
    const responses = [at(1, 12), at(2, 12), at(3, 11), at(4, 11, { orders: 2 })];
    expect(play(responses)).toEqual(['2', '3', '4', 'shrunk']);
  });

  it.each<[string, Stated[], string]>([
    ['one order leaves on the last page', [at(1, 6), at(2, 5, { orders: 2 })], 'shrunk'],
    ['as many orders were read as are left', [at(1, 4), at(2, 3, { orders: 0 })], 'shrunk'],
    ['new orders arrive later', [at(1, 9), at(2, 8), at(3, 12), at(4, 12), { ...none, total: 12 }], 'shrunk'],
    ['the service says that there is no more', [at(1, 6), at(2, 5, { hasMore: false })], 'shrunk'],
    ['the last page is repeated', [at(1, 6), at(2, 5), ...Array(3).fill(at(2, 5, repeat))], 'shrunk'],
    ['the total was the length of the page', [at(1, 3), { orders: 1, page: 2, total: 1 }, none], 'end'],
    ['the last page counts no orders', [at(1, 3), { ...none, page: 2, total: 0 }], 'end'],
  ])('ends with a doubt only for a real change: %s', (_name, responses, end) => {
    expect(play(responses).at(-1)).toBe(end);
  });
});

describe('a list that grows while it is read', () => {
  const grown = (total: number) => ({ ...none, total });

  it.each<[string, Stated[], string[]]>([
    ['pages with known orders only', [full, full, old, old, old], ['1', '2', '3', '4', 'moving']],
    ['the last of them again', [full, full, old, old, repeat], ['1', '2', '3', '4', 'moving']],
    ['an end after them', [full, full, old, old, none], ['1', '2', '3', '4', 'end']],
    [
      'new orders after them',
      [full, full, old, full, repeat, repeat, repeat],
      ['1', '2', '3', '4', '5', '6', 'end'],
    ],
  ])('ends after pages with known orders: %s', (_name, responses, steps) => {
    expect(play(responses)).toEqual(steps);
  });

  it('has a separate doubt when all its first orders were read', () => {
    const responses = [{ ...full, total: 3 }, ...Array(2).fill(grown(5))];
    expect(play(responses)).toEqual(['1', '2', 'grown']);
  });

  it('has the usual doubt when not all of those were read, or some left the list', () => {
    expect(play([{ ...full, total: 4 }, ...Array(3).fill(grown(5))]).at(-1)).toBe('total');
    const left = [numbered(1, { total: 7 }), numbered(2, { total: 6 })];
    expect(play([...left, ...Array(3).fill(grown(9))]).at(-1)).toBe('shrunk');
  });
});

describe('any service', () => {
  const stated = fc.record(
    {
      orders: fc.nat(3),
      newOrders: fc.nat(3),
      isRepeat: fc.boolean(),
      page: fc.nat(5),
      pageSize: fc.nat(4),
      total: fc.nat(40),
      hasMore: fc.boolean(),
      next: fc.constantFrom(null, 'unusable' as const, { page: '1' }, { cursor: 'x' }),
    },
    { requiredKeys: ['orders'] },
  );

  it('gets requests for valid page numbers only, and the walk ends when no new orders come', () => {
    fc.assert(
      fc.property(fc.array(stated, { maxLength: 8 }), stated, (responses, last) => {
        let walk = startWalk(undefined, undefined);
        const withoutNew = Array(40).fill({ ...last, newOrders: 0 });
        for (const response of [...responses, ...withoutNew]) {
          const { walk: after, action } = advance(walk, toPageRead(response));
          if (action.kind !== 'request') return;
          if ('page' in action.next) expect(action.next.page).toBeGreaterThanOrEqual(0);
          walk = after;
        }
        throw new Error('the walk never ends');
      }),
      { numRuns: 3000 },
    );
  });
});
