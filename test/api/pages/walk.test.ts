import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkPages } from '../../../src/api/pages/walk-pages.ts';
import { responseOf } from '../response.ts';
import { aPolicy, clientWith } from '../stub-service.ts';

/** One response: how many orders it has, how many of them are new, and what it states. */
interface Stated {
  orders: number;
  newOrders?: number;
  isRepeat?: boolean;
  page?: number;
  pageSize?: number;
  total?: number | string | object;
  pages?: number;
  count?: number;
  hasMore?: boolean;
  next?: Record<string, string> | 'unusable' | null;
}

const full: Stated = { orders: 3 };
const none: Stated = { orders: 0 };
/** A copy of the page before. */
const repeat: Stated = { orders: 3, newOrders: 0, isRepeat: true };
/** Only known orders, but no copy of the page before. */
const old: Stated = { orders: 3, newOrders: 0 };

/** The bodies of responses, with orders that are new, known or those of the page before. */
function createBodies() {
  const known: string[] = [];
  let before: string[] = [];
  let pages = 0;
  return ({ orders, newOrders = orders, isRepeat = false, next = null, ...stated }: Stated) => {
    pages += 1;
    const isNew = (index: number) => index < newOrders || known.length === 0;
    const idAt = (index: number) =>
      isNew(index)
        ? `S-${known.length + index}`
        : (known[(pages + index) % Math.min(3, known.length)] as string);
    const ids = isRepeat
      ? before.slice(0, orders)
      : Array.from({ length: orders }, (_, index) => idAt(index));
    known.push(...ids.filter((id) => !known.includes(id)));
    before = ids;
    const link =
      next === null
        ? {}
        : next === 'unusable'
          ? { next_cursor: 'x' }
          : { next: `?${new URLSearchParams(next)}` };
    return JSON.stringify({ data: ids.map((id) => ({ id, status: 'NEW' })), ...stated, ...link });
  };
}

/** What is requested after each response, by page or by the parameters of a link, and how the walk ends. */
const caveats = [
  ['The service returns the same page for every page number.', 'one_page'],
  ['The service counts', 'total'],
  ['The pages after the first', 'moving'],
  ['Orders disappeared', 'shrunk'],
] as const;

async function play(responses: Stated[], pageNumber?: number, pageSize?: number): Promise<string[]> {
  const toBody = createBodies();
  const left = responses.values();
  const steps: string[] = [];
  const client = clientWith(async ({ query: { pageSize: _, page, ...parameters } = {} }) => {
    steps.push(page ?? new URLSearchParams(parameters).toString());
    const { value, done } = left.next();
    return done ? responseOf(403) : responseOf(200, toBody(value));
  }, aPolicy());
  const query = {
    ...(pageNumber === undefined ? {} : { page: `${pageNumber}` }),
    ...(pageSize === undefined ? {} : { pageSize: `${pageSize}` }),
  };
  let end = 'end';
  try {
    for await (const { caveat } of walkPages(client, query))
      end = caveats.find(([start]) => caveat !== undefined && String(caveat).startsWith(start))?.[1] ?? 'end';
  } catch (error) {
    const { code } = error as { code: string };
    if (code === 'permission_missing') return steps.slice(1);
    expect(code).toBe('search_incomplete');
    end = 'stuck';
  }
  return [...steps.slice(1), end];
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
  ])('%s', async (_name, responses, steps) => {
    expect(await play(responses)).toEqual(steps);
  });

  it('is that of the first request', async () => {
    expect(await play([full, full, none], 2)).toEqual(['3', '4', 'end']);
    expect(await play([full, full, none], 0)).toEqual(['1', '2', 'end']);
  });
});

describe('a walk ends after', () => {
  it.each<[string, Stated[], string[]]>([
    ['an empty list', [none], ['end']],
    [
      'the last page of those that are counted, though one is empty',
      [{ ...none, page: 1, pages: 3 }, { ...none, page: 2, pages: 3 }, { ...full, page: 3, pages: 3 }, none],
      ['2', '3', '4', 'end'],
    ],
    [
      'empty pages before the last of those that are counted',
      [
        { ...full, pages: 9 },
        { ...none, pages: 9 },
        { ...none, pages: 9 },
        { ...none, pages: 9 },
      ],
      ['1', '2', '3', 'stuck'],
    ],
    [
      'a total in groups of thousands',
      [
        { ...full, total: '1,045' },
        { ...none, total: '1,045' },
        { ...none, total: '1,045' },
      ],
      ['1', '2', 'total'],
    ],
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
    ['a page without a link after pages with links', [{ ...full, next: { page: '2' } }, full], ['2', 'end']],
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
  ])('%s', async (_name, responses, steps) => {
    expect(await play(responses)).toEqual(steps);
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
  ])('%s', async (_name, responses, steps) => {
    expect(await play(responses)).toEqual(steps);
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
      'the same page, and the total may count it',
      [{ ...full, count: 3 }, ...Array(3).fill({ ...repeat, count: 3 })],
      ['1', '2', 'one_page'],
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
  ])('%s', async (_name, responses, steps) => {
    expect(await play(responses)).toEqual(steps);
  });

  it('does not trust a page size that only repeats the requested one', async () => {
    const echo: Stated = { ...full, pageSize: 50, total: 3 };
    expect(await play([echo], undefined, 50)).toEqual(['1']);
    expect(await play([echo], undefined, 100)).toEqual(['end']);
    expect(await play([echo, { ...echo, orders: 2, total: 5 }], undefined, 50)).toEqual(['1', 'end']);
  });

  it('is stuck at copies of a page as long as the requested page size', async () => {
    expect(await play([full, repeat, repeat, repeat], undefined, 3)).toEqual(['1', '2', '3', 'stuck']);
    expect(await play([full, repeat, repeat, repeat], undefined, 4)).toEqual(['1', '2', '3', 'one_page']);
  });
});

describe('a list that shrinks while it is read', () => {
  const at = (page: number, total: number, stated: Partial<Stated> = {}) =>
    numbered(page, { total, ...stated });

  it('is read to its end, with a caveat, since orders may have moved to earlier pages', async () => {
    const responses = [at(1, 12), at(2, 12), at(3, 11), at(4, 11, { orders: 2 })];
    expect(await play(responses)).toEqual(['2', '3', '4', 'shrunk']);
  });

  it.each<[string, Stated[], string]>([
    ['one order leaves on the last page', [at(1, 6), at(2, 5, { orders: 2 })], 'shrunk'],
    ['as many orders were read as are left', [at(1, 4), at(2, 3, { orders: 0 })], 'shrunk'],
    ['new orders arrive later', [at(1, 9), at(2, 8), at(3, 12), at(4, 12), { ...none, total: 12 }], 'shrunk'],
    ['the service says that there is no more', [at(1, 6), at(2, 5, { hasMore: false })], 'shrunk'],
    ['the last page is repeated', [at(1, 6), at(2, 5), ...Array(3).fill(at(2, 5, repeat))], 'shrunk'],
    ['the total was the length of the page', [at(1, 3), { orders: 1, page: 2, total: 1 }, none], 'end'],
    ['the last page counts no orders', [at(1, 3), { ...none, page: 2, total: 0 }], 'end'],
  ])('ends with a caveat only for a real change: %s', async (_name, responses, end) => {
    expect((await play(responses)).at(-1)).toBe(end);
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
  ])('ends after pages with known orders: %s', async (_name, responses, steps) => {
    expect(await play(responses)).toEqual(steps);
  });

  it('is complete when all its first orders were read', async () => {
    const responses = [{ ...full, total: 3 }, ...Array(2).fill(grown(5))];
    expect(await play(responses)).toEqual(['1', 'end']);
  });

  it('has a caveat when not all of those were read, or some left the list', async () => {
    expect((await play([{ ...full, total: 4 }, ...Array(3).fill(grown(5))])).at(-1)).toBe('total');
    const left = [numbered(1, { total: 7 }), numbered(2, { total: 6 })];
    expect((await play([...left, ...Array(3).fill(grown(9))])).at(-1)).toBe('shrunk');
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

  it('gets requests for valid page numbers only, and the walk ends when no new orders come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stated, { maxLength: 8 }), stated, async (responses, last) => {
        const withoutNew = Array(40).fill({ ...last, newOrders: 0 });
        const steps = await play([...responses, ...withoutNew]);
        expect(steps.at(-1)).toMatch(/^[a-z_]+$/);
        expect(steps.filter((step) => step.startsWith('-'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
