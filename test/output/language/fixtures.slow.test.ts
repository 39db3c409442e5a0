import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fixture } from '../../import/tables.ts';
import { runCli } from '../../support/cli.ts';

const files = readdirSync(fixture(''), { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:csv|txt)$/.test(name),
);
const englishWords = /[a-z]{2,}(?: [a-z]{2,}){2,}/g;

it.each(files)('%s is previewed without a word of English, but for what is in it or typed', async (name) => {
  const path = fixture(name);
  const { stdout, stderr } = await runCli(['import', path, '--sandbox', '--dry-run', '--no-input'], {
    env: { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' },
    answers: [],
    width: 5000,
  });
  const said = `${stdout}${stderr}`.replaceAll(path, '').split('\n');
  const typed = /^ *(?:merchant-orders |["{}[\]])/;
  const own = readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ');
  const found = said
    .filter((line) => !typed.test(line))
    .flatMap((line) => [...line.matchAll(englishWords)].filter(([words]) => !own.includes(words)))
    .map(({ input }) => input);
  expect(found).toEqual([]);
});
