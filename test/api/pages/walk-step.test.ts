import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Brought, startWalk } from '../../../src/api/pages/walk.ts';
import { type Step, stepAfter } from '../../../src/api/pages/walk-step.ts';

/** One answer: how many orders it has, how many of them are new, and what it tells. */
interface Told {
  orders: number;
  fresh?: number;
  isRepeat?: boolean;
  page?: number;
  pageSize?: number;
  total?: number;
  hasMore?: boolean;
  next?: Brought['next'];
}

const full: Told = { orders: 3 };
const none: Told = { orders: 0 };
/** The page before, once more. */
const repeat: Told = { orders: 3, fresh: 0, isRepeat: true };
/** Nothing new, and not the page before. */
const old: Told = { orders: 3, fresh: 0 };

function toBrought({ orders, fresh = orders, isRepeat = false, next = null, ...told }: Told): Brought {
  const page = {
    orders: Array.from({ length: orders }, () => ({})),
    ...{ page: null, pageSize: null, total: null, hasMore: null, next: null },
    ...told,
  };
  return { page, next, fresh, isRepeat };
}

/** What is asked for after each answer, and how it ends; no first page and page size are asked for. */
function play(answers: Told[], asked?: number, pageSize?: number): string[] {
  let walk = startWalk(asked, pageSize);
  return answers.map((told) => {
    const after = stepAfter(walk, toBrought(told));
    walk = after.walk;
    return say(after.step);
  });
}

function say(step: Step): string {
  if (step.go === 'end') return step.doubt ?? 'end';
  if (step.go === 'stuck') return 'stuck';
  return 'page' in step.ask ? String(step.ask.page) : new URLSearchParams(step.ask.link).toString();
}

const toldPage = (page: number, told: Partial<Told> = {}): Told => ({ ...full, page, ...told });

describe('where pages begin', () => {
  it.each<[string, Told[], string[]]>([
    ['told 1', [toldPage(1), toldPage(2), { ...none, page: 3 }], ['2', '3', 'end']],
    ['told 0', [toldPage(0), toldPage(1), { ...none, page: 2 }], ['1', '2', 'end']],
    ['not told, 0: page 1 is another', [full, full, none], ['1', '2', 'end']],
    ['not told, 1: page 1 is the first again', [full, repeat, full, none], ['1', '2', '3', 'end']],
    [
      'numbers from 0, parameters from 1',
      [toldPage(0), { ...repeat, page: 0 }, toldPage(1), { ...none, page: 2 }],
      ['1', '2', '3', 'end'],
    ],
    [
      'numbers from 1, parameters from 0: page 2 says that it is the third',
      [toldPage(1), toldPage(3), toldPage(2), { ...old, page: 3 }, toldPage(4), { ...none, page: 5 }],
      ['2', '1', '2', '3', '4', 'end'],
    ],
  ])('%s', (_name, answers, steps) => {
    expect(play(answers)).toEqual(steps);
  });

  it('is where it was told to begin', () => {
    expect(play([full, full, none], 2)).toEqual(['3', '4', 'end']);
    expect(play([full, full, none], 0)).toEqual(['1', '2', 'end']);
  });
});

describe('the end', () => {
  it.each<[string, Told[], string[]]>([
    ['an empty list', [none], ['end']],
    ['an empty list that counts none', [{ ...none, page: 1, total: 0 }], ['end']],
    [
      'it is told that there is no more',
      [toldPage(1, { hasMore: true }), toldPage(2, { hasMore: false })],
      ['2', 'end'],
    ],
    [
      'all are seen and the page is short',
      [
        { orders: 3, total: 4 },
        { orders: 1, total: 4 },
      ],
      ['1', 'end'],
    ],
    ['all are seen on one page that is not full', [{ orders: 3, pageSize: 20, total: 3 }], ['end']],
    [
      'all are seen and the page is full: one more is asked for',
      [
        { ...full, total: 3 },
        { ...none, total: 3 },
      ],
      ['1', 'end'],
    ],
    ['links cease', [{ ...full, next: { page: '2' } }, full], ['page=2', 'end']],
    [
      'the last page again',
      [toldPage(1), { ...toldPage(2), orders: 2 }, { ...repeat, orders: 2, page: 2 }],
      ['2', '3', 'end'],
    ],
    [
      'the last page again and again, and nothing is told',
      [full, full, repeat, repeat, repeat],
      ['1', '2', '3', '4', 'end'],
    ],
    [
      'the last page again, and it is short',
      [full, { orders: 2 }, { ...repeat, orders: 2 }],
      ['1', '2', 'end'],
    ],
  ])('%s', (_name, answers, steps) => {
    expect(play(answers)).toEqual(steps);
  });
});

describe('not the end', () => {
  it.each<[string, Told[], string[]]>([
    ['a short page', [toldPage(1), { orders: 1, page: 2 }, toldPage(3)], ['2', '3', '4']],
    [
      'an empty page, when it is told that there is more',
      [toldPage(1, { hasMore: true }), { ...none, hasMore: true }, toldPage(3)],
      ['2', '3', '4'],
    ],
    [
      'an empty page, when not all are counted',
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
    ['an empty first page, when there is more', [{ ...none, hasMore: true }, full], ['1', '2']],
    [
      'a whole page of new orders moved on',
      [toldPage(1), { ...repeat, page: 2 }, toldPage(3)],
      ['2', '3', '4'],
    ],
    ['new orders moved some on', [toldPage(1), { orders: 3, fresh: 1 }, full], ['2', '3', '4']],
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
  ])('%s', (_name, answers, steps) => {
    expect(play(answers)).toEqual(steps);
  });
});

describe('what can not be known', () => {
  const more = { hasMore: true };
  it.each<[string, Told[], string[]]>([
    ['the same page for every number', [full, repeat, repeat, repeat], ['1', '2', '3', 'one_page']],
    ['the same page, and it tells its number', [toldPage(1), { ...repeat, page: 1 }], ['2', 'one_page']],
    [
      'the same page, and it is told that there is more',
      [
        { ...full, ...more },
        { ...repeat, ...more },
        { ...repeat, ...more },
      ],
      ['1', '2', 'stuck'],
    ],
    [
      'the same page, and not all are counted',
      [
        { ...full, total: 9 },
        { ...repeat, total: 9 },
        { ...repeat, total: 9 },
      ],
      ['1', '2', 'stuck'],
    ],
    [
      'the same page, as full as pages are',
      [toldPage(1, { pageSize: 3 }), { ...repeat, page: 1, pageSize: 3 }],
      ['2', 'stuck'],
    ],
    [
      'the same page, not as full as pages are',
      [toldPage(1, { pageSize: 4 }), { ...repeat, page: 1, pageSize: 4 }],
      ['2', 'one_page'],
    ],
    [
      'a cursor that only the body tells',
      [
        { ...full, next: 'unusable' },
        { ...repeat, next: 'unusable' },
        { ...repeat, next: 'unusable' },
      ],
      ['1', '2', 'stuck'],
    ],
    [
      'a link to itself',
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
      'empty pages for ever',
      [{ ...full, ...more }, ...Array(3).fill({ ...none, ...more })],
      ['1', '2', '3', 'stuck'],
    ],
    [
      'more counted than pages hold',
      [{ ...full, total: 5 }, ...Array(3).fill({ ...none, total: 5 })],
      ['1', '2', '3', 'total'],
    ],
    ['more counted than there is said to be', [{ ...full, total: 5, hasMore: false }], ['total']],
  ])('%s', (_name, answers, steps) => {
    expect(play(answers)).toEqual(steps);
  });

  it('is a page size that only repeats what was asked for', () => {
    const echo: Told = { ...full, pageSize: 50, total: 3 };
    expect(play([echo], undefined, 50)).toEqual(['1']);
    expect(play([echo], undefined, 100)).toEqual(['end']);
    expect(play([echo, { ...echo, orders: 2, total: 5 }], undefined, 50)).toEqual(['1', 'end']);
  });

  it('is told by the page size that was asked for as well', () => {
    expect(play([full, repeat, repeat, repeat], undefined, 3)).toEqual(['1', '2', '3', 'stuck']);
    expect(play([full, repeat, repeat, repeat], undefined, 4)).toEqual(['1', '2', '3', 'one_page']);
  });
});

describe('a list that shrinks while it is read', () => {
  const at = (page: number, total: number, told: Partial<Told> = {}) => toldPage(page, { total, ...told });

  it('goes back as many pages as orders left, and on from there', () => {
    const answers = [
      at(1, 12),
      at(2, 12),
      at(3, 11),
      at(2, 11, { fresh: 1 }),
      at(3, 11, { fresh: 0 }),
      at(4, 11, { orders: 2 }),
    ];
    expect(play(answers)).toEqual(['2', '3', '2', '3', '4', '5']);
    const many = [at(1, 20), at(2, 20), at(3, 20), at(4, 15)];
    expect(play(many)).toEqual(['2', '3', '4', '2']);
  });

  it('goes back to the first page at most', () => {
    expect(play([at(1, 20), at(2, 4)])).toEqual(['2', '1']);
    expect(play([at(0, 20), at(1, 4)])).toEqual(['1', '0']);
    expect(
      play([
        { ...full, total: 20 },
        { ...full, total: 4 },
      ]),
    ).toEqual(['1', '0']);
  });

  it('does not take pages that are read again for the end', () => {
    const again = [3, 4, 5, 6, 7].map((page) => at(page, 25, { fresh: 0 }));
    const answers = [
      ...[1, 2, 3, 4, 5, 6].map((page) => at(page, 40)),
      at(7, 25),
      at(2, 25, { fresh: 0 }),
      ...again,
    ];
    expect(play(answers).slice(6)).toEqual(['2', '3', '4', '5', '6', '7', '8']);
  });

  it('says so when it never stops', () => {
    const answers = Array.from({ length: 12 }, (_, index) => at((index % 2) + 1, 100 - index));
    const end = { ...none, total: 80, hasMore: false };
    expect(play([...answers, end]).at(-1)).toBe('shrinking');
  });
});

describe('a list that grows while it is read', () => {
  const grown = (total: number) => ({ ...none, total });

  it.each<[string, Told[], string[]]>([
    ['pages of old orders alone', [full, full, old, old, old], ['1', '2', '3', '4', 'moving']],
    ['the last of them again', [full, full, old, old, repeat], ['1', '2', '3', '4', 'moving']],
    ['an end after them', [full, full, old, old, none], ['1', '2', '3', '4', 'end']],
    [
      'new orders after them',
      [full, full, old, full, repeat, repeat, repeat],
      ['1', '2', '3', '4', '5', '6', 'end'],
    ],
  ])('may be read no further: %s', (_name, answers, steps) => {
    expect(play(answers)).toEqual(steps);
  });

  it('is no doubt about what was there at first', () => {
    const answers = [{ ...full, total: 3 }, ...Array(3).fill(grown(5))];
    expect(play(answers)).toEqual(['1', '2', '3', 'grown']);
  });

  it('is one when not all were seen that it counted at first, or when some have left it', () => {
    expect(play([{ ...full, total: 4 }, ...Array(3).fill(grown(5))]).at(-1)).toBe('total');
    const left = [toldPage(1, { total: 7 }), toldPage(2, { total: 6 })];
    const again = [toldPage(1, { total: 6, fresh: 0 }), toldPage(2, { total: 6, fresh: 1 })];
    expect(play([...left, ...again, ...Array(3).fill(grown(9))]).at(-1)).toBe('total');
  });
});

describe('any service', () => {
  const told = fc.record(
    {
      orders: fc.nat(3),
      fresh: fc.nat(3),
      isRepeat: fc.boolean(),
      page: fc.nat(5),
      pageSize: fc.nat(4),
      total: fc.nat(40),
      hasMore: fc.boolean(),
      next: fc.constantFrom(null, 'unusable' as const, { page: '1' }, { cursor: 'x' }),
    },
    { requiredKeys: ['orders'] },
  );

  it('is asked for a page that exists or for nothing, and comes to an end when nothing new comes', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 8 }), told, (answers, last) => {
        let walk = startWalk(undefined, undefined);
        const dry = Array(40).fill({ ...last, fresh: 0 });
        for (const answer of [...answers, ...dry]) {
          const { walk: after, step } = stepAfter(walk, toBrought(answer));
          if (step.go !== 'ask') return;
          if ('page' in step.ask) expect(step.ask.page).toBeGreaterThanOrEqual(0);
          walk = after;
        }
        throw new Error('it goes on for ever');
      }),
      { numRuns: 3000 },
    );
  });
});
