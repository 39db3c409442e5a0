import { describe, expect, it } from 'vitest';
import { createHeader } from '../../../src/import/columns/header.ts';
import { createCondition, meetsRule, readRule } from '../../../src/import/map/conditions.ts';
import type { Wanted, WantedByHeader } from '../../../src/import/map/language.ts';
import type { Problem } from '../../../src/import/problem.ts';
import { headerOf } from '../tables.ts';

describe('a condition', () => {
  it.each<[Wanted, string[], string[]]>([
    ['Paid', ['Paid', 'PAID', ' paid '], ['', 'unpaid', 'paid out']],
    ['Төлсөн', ['төлсөн', 'ТӨЛСӨН'], ['төлсөнгүй']],
    ['on  hold', ['On hold', 'on hold'], ['on-hold', 'onhold']],
    ['ｐａｉｄ', ['paid'], ['pai']],
    [
      ['paid', 'captured'],
      ['Captured', 'paid'],
      ['', 'capture'],
    ],
    [
      '*',
      ['x', '0', 'false', '2026-11-02', '00-1'],
      ['', '-', 'N/A', 'null', '0000-00-00', '0000-00-00T00:00:00Z', '00/00/0000'],
    ],
    [['*', ''], ['x', ''], []],
    ['', [''], ['x', '0']],
    [
      ['', 'no'],
      ['', 'No'],
      ['nothing', 'x'],
    ],
    [{ contains: 'pickup' }, ['Store Pickup', 'pickup', 'PICKUPS'], ['', 'pick up']],
    [{ contains: ['a', 'b'] }, ['xa', 'bx'], ['', 'c']],
    [{ starts_with: 'cod' }, ['COD', 'cod fee'], ['', 'encode', 'by cod']],
    [{ starts_with: 'a', contains: 'z' }, ['ab', 'bz'], ['', 'ba']],
    [{ words: 'pickup' }, ['Өөрөө очиж авах', 'Local pickup'], ['', 'Pickupline tea', 'Хүргэлт']],
    [
      { words: 'cash_on_delivery' },
      ['COD', 'Cash on delivery', 'Хүргэлтээр төлөх'],
      ['', 'GCash', 'code', 'Cash'],
    ],
    [{ above_zero: true }, ['1', '0.01', '1,000', '₮5'], ['', '0', '0.00', '-5', 'none']],
    [{ not: 'paid' }, ['open', ''], ['Paid']],
    [{ not: ['', 'no'] }, ['yes'], ['', 'No']],
    [{ not: { words: 'cash_on_delivery' } }, ['Card', ''], ['COD']],
  ])('%j', (wanted, held, others) => {
    const { matches } = createCondition(0, 'Header', wanted);
    expect(held.filter((text) => !matches(text))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it.each<[Wanted, readonly string[] | undefined]>([
    ['Paid', ['paid']],
    [
      ['Paid', ''],
      ['paid', ''],
    ],
    ['*', undefined],
    [{ contains: 'paid' }, undefined],
    [{ not: 'paid' }, undefined],
  ])('%j lists the values %j', (wanted, values) => {
    expect(createCondition(0, 'Header', wanted).values).toEqual(values);
  });
});

/** Whether cells with `|` between them meet a rule, and the problems of reading it. */
function holds(
  rule: WantedByHeader | WantedByHeader[] | undefined,
  header: string,
  cells: string,
  { isPreset = true, ignored = [] as number[] } = {},
) {
  const problems: Problem[] = [];
  const lookup = {
    header: createHeader(headerOf(...header.split('|'))),
    isPreset,
    problems,
    ignored: new Set(ignored),
  };
  const found = meetsRule(readRule(lookup, rule, 'paid'), cells.split('|'));
  return problems.length === 0 ? found : problems.map(({ code, fix }) => `${code}: ${fix}`);
}

describe('a rule', () => {
  const both = { Status: 'done', Paid: 'yes' };
  it.each<[string, WantedByHeader | WantedByHeader[] | undefined, string, boolean]>([
    ['needs all of its headers', both, 'done|yes', true],
    ['needs all of its headers', both, 'done|no', false],
    ['holds by one of its alternatives', [{ Status: 'done' }, { Paid: 'yes' }], 'open|yes', true],
    ['holds by none of its alternatives', [{ Status: 'done' }, { Paid: 'yes' }], 'open|no', false],
    ['is never met when there is none', undefined, 'done|yes', false],
    ['is never met without a header', {}, 'done|yes', false],
    ['finds headers in any case', { STATUS: 'done' }, 'done|', true],
  ])('%s', (_, rule, cells, expected) => {
    expect(holds(rule, 'Status|Paid', cells)).toBe(expected);
  });

  it.each<[WantedByHeader | WantedByHeader[], boolean]>([
    [{ Missing: 'x' }, false],
    [{ Missing: '*' }, false],
    [{ Missing: '', Status: 'done' }, true],
    [{ Missing: '' }, false],
    [{ Missing: ['', 'x'], Status: 'done' }, false],
    [[{ Missing: 'x' }, { Status: 'done' }], true],
  ])('of a preset takes a column that the file does not have for blank: %j', (rule, expected) => {
    expect(holds(rule, 'Status', 'done')).toBe(expected);
  });

  it('of the user names columns of the file', () => {
    expect(holds({ Statsu: 'done' }, 'Status', 'done', { isPreset: false })).toEqual([
      'column_unknown: did you mean "Status"?',
    ]);
    expect(holds({ Missing: '' }, 'Status', 'done', { isPreset: false })).toEqual([
      'column_unknown: use the name of one of its columns',
    ]);
  });

  it('takes a column of repeated names by its number', () => {
    expect(holds({ 'City#2': 'b' }, 'City|City', 'a|b')).toBe(true);
    expect(holds({ 'City#1': 'b' }, 'City|City', 'a|b')).toBe(false);
    expect(holds({ 'City#3': 'b' }, 'City|City', 'a|b')).toBe(false);
    expect(holds({ City: 'b' }, 'City|City', 'a|b')).toEqual([
      'header_duplicate: choose one: "City#1" is the first, "City#2" the second',
    ]);
  });

  it('does not read a column that the user ignores', () => {
    expect(holds({ Status: 'done' }, 'Status', 'done', { ignored: [0] })).toBe(false);
  });
});
