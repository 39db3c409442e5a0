import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkPages } from '../../../src/api/pages/walk-pages.ts';
import { responseOf } from '../response.ts';
import { aPolicy, clientWith } from '../stub-service.ts';
import rows from './walks.json' with { type: 'json' };

/** The responses to one walk, what is requested after each, and how it ends. */
const walks = rows as { name: string; responses: Stated[]; steps: string[] }[];

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

it.each(walks)('$name', async ({ responses, steps }) => {
  expect(await play(responses)).toEqual(steps);
});

it('the number of the first page is that of the first request', async () => {
  expect(await play([full, full, none], 2)).toEqual(['3', '4', 'end']);
  expect(await play([full, full, none], 0)).toEqual(['1', '2', 'end']);
});

describe('a walk that cannot show that all was read', () => {
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

describe('a list that changes while it is read', () => {
  const grown = (total: number) => ({ ...none, total });
  const numbered = (page: number, total: number): Stated => ({ ...full, page, total });

  it('is complete when all its first orders were read', async () => {
    const responses = [{ ...full, total: 3 }, ...Array(2).fill(grown(5))];
    expect(await play(responses)).toEqual(['1', 'end']);
  });

  it('has a caveat when not all of those were read, or some left the list', async () => {
    expect((await play([{ ...full, total: 4 }, ...Array(3).fill(grown(5))])).at(-1)).toBe('total');
    const left = [numbered(1, 7), numbered(2, 6)];
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
