import { expect, test } from 'vitest';
import { hashCells } from '../../../../src/import/orders/group/hash.ts';

test('hashes the boundaries and the order of cells', () => {
  const rows = [
    [],
    [''],
    ['', ''],
    ['ab', 'c'],
    ['a', 'bc'],
    ['c', 'ab'],
    ['ab', '', 'c'],
    ['AB', 'c'],
    ['abc'],
  ];
  const hashes = rows.map(hashCells);
  expect(new Set(hashes).size).toBe(rows.length);
  expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true);
  expect(hashCells(['ab', 'c'])).toBe(hashCells(['ab', 'c']));
});
