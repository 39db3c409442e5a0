import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { gateways } from './gateways.ts';
import { formatPage } from './matrix.ts';
import { readServices, versionOf } from './services.ts';

const page = readFileSync(new URL('../../docs/frameworks.md', import.meta.url), 'utf8');
const cellsOf = (line = '') =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const lines = page.split('\n').filter((line) => line.startsWith('|'));

it('has a page with every framework in its version and every gateway, all of them right', () => {
  const [head, , ...rows] = lines.map(cellsOf);
  const titles = Object.values(gateways).map(({ title }) => title);
  expect(head?.slice(1).map((cell) => cell.split(' ')[0])).toEqual(['direct', ...titles]);
  const services = readServices();
  for (const [index, service] of services.entries()) {
    const [title = '', ...cells] = rows[index] ?? [];
    if (service.npm === undefined) expect(title).toMatch(new RegExp(`^${service.title} [\\d.]+$`));
    else expect(title).toBe(`${service.title} ${versionOf(service)}`);
    expect(cells.filter((cell) => !/^(\d+) of \1$/.test(cell))).toEqual([]);
    expect(cells).toHaveLength(1 + titles.length);
  }
  expect(rows).toHaveLength(services.length + 1);
  expect(page).toMatch(/ 0 lost, 0 duplicated, 0 misreported\.\n/);
});

it('has the text that is written around the matrix', () => {
  const withoutMatrix = (text: string) => text.replace(/\n\n\|.*misreported\.\n/s, '');
  expect(withoutMatrix(page)).toBe(withoutMatrix(formatPage([], [])));
});
