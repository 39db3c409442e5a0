import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startShop } from '../../commands/imports/setup.ts';
import type { CliOptions } from '../../support/cli.ts';

/** Names, codes and what is typed may be English; two words in a row are a sentence. */
const englishWords = /\b[a-z]{2,} [a-z]{2,}/i;
const typedWords = /merchant-orders(?: [^\s()]+)*|"[^"]*"|--[a-z-]+ \S+|\bID [\da-f]{8}\b/g;
const typed = /^ *(?:merchant-orders |\$ |["{}[\]]|[A-Z_, ]+=?)/;

const commands = ['create', 'import', 'get', 'list', 'today', 'cancel', 'status', 'settle', 'imports'];
const ofMachine = ['login', 'logout', 'whoami', 'profiles', 'mappings', 'doctor', 'completion', 'help'];
const inner = ['imports show', 'mappings show', 'mappings add', 'mappings remove', 'profiles use'];
const helps = [...commands, ...ofMachine, ...inner, 'profiles remove', 'profiles fields'];

async function startWeek() {
  const shop = await startShop(3);
  const { run, csv } = shop;
  const folder = csv.replace(/orders\.csv$/, '');
  await shop.import();
  const list = join(folder, 'monday.csv');
  writeFileSync(list, 'order,amount,fee\nUB-1,500,100\nUB-9,700,100\n,1300,150\n');
  writeFileSync(join(folder, 'broken.csv'), 'order,amount\nUB-1,x\n');
  const say = async (line: string, options: CliOptions) => {
    const { stdout, stderr } = await run(
      line.split(' ').map((word) => word.replace('FOLDER/', folder)),
      options,
    );
    return `${stdout}${stderr}`.replaceAll(folder, '');
  };
  return { ...shop, say };
}

const said = [
  ...helps.map((words) => `${words} --help`),
  ...['import --help all', 'help environment', 'help exit-codes', 'help zz', 'find zz'],
  ...['whoami --check', 'login --base-url zz', 'logout zz', 'doctor'],
  ...['import', 'import FOLDER/none.csv', 'import FOLDER/broken.csv', 'import FOLDER/orders.csv --dry-run'],
  ...['import FOLDER/orders.csv', 'import FOLDER/orders.csv --on-invalid zz', 'imports show 99'],
  ...['create --collect 1 --prepaid', 'create --dry-run', 'create --yes --phone x --collect y'],
  ...['get', 'get UB-1 UB-9', 'get UB-9 --by number', 'cancel', 'cancel UB-1', 'cancel UB-8 UB-9 --reason x'],
  ...[
    'list --for packing',
    'list --for courier',
    'list --search zz',
    'list --page 9',
    'list --created-from zz',
  ],
  ...[
    'list --deliver-on today',
    'list --sort number',
    'list -o FOLDER/list.csv',
    'mappings add FOLDER/orders.csv FOLDER/none.json',
  ],
  ...['list', 'today', 'settle', 'imports', 'imports show 0f'],
  ...['mappings', 'mappings show 0f', 'mappings remove zz', 'profiles', 'profiles use zz', 'profiles fields'],
  ...['profiles fields quantity', 'profiles fields --default', 'status FOLDER/orders.csv'],
  ...['status FOLDER/none.csv', 'cancel UB-9 --reason x --yes'],
  ...[
    'status FOLDER/orders.csv --cash FOLDER/monday.csv',
    'status FOLDER/orders.csv --cash FOLDER/broken.csv',
  ],
  ...['status FOLDER/orders.csv -o -', 'status FOLDER/orders.csv --id-column zz', 'get UB-9', 'get UB-1'],
  ...['cancel UB-1 --reason x --yes', 'status FOLDER/orders.csv', 'imports show RUN'],
];

/** What no two shops have in common: IDs, folders, times, the address and the key. */
const changing =
  /[\da-f]{8}-[\da-f-]{27}|\b(?:[\da-f]{12}|[\da-f]{8})\b|merchant-orders-test-\w+|\d+ MB|\d\d:\d\d(?::[\d.]+Z?)?|127\.0\.0\.1:\d+|…\w+/g;
const piped = ['list --json', 'list --format csv', 'imports --json', 'status FOLDER/orders.csv --json'];
const withChecks = [
  'import FOLDER/orders.csv --dry-run',
  'import FOLDER/orders.csv --yes',
  'import FOLDER/monday.csv',
];

it('every command says the same in a pipe in both languages', async () => {
  const sayAll = async (language: string) => {
    const { say, newest } = await startWeek();
    const { run } = await newest();
    const texts: string[] = [];
    for (const line of [...said, ...piped, ...withChecks]) {
      const text = await say(line.replace('RUN', run), { env: { MERCHANT_ORDERS_LANG: language } });
      texts.push(`${line}: ${text.replaceAll(run, 'RUN').replaceAll(changing, '*')}`);
    }
    return texts;
  };
  const english = await sayAll('en');
  expect(await sayAll('mn')).toEqual(english);
});

it('every command speaks Mongolian at a Mongolian terminal', async () => {
  const { say, newest, env } = await startWeek();
  const { run } = await newest();
  const options = { env: { ...env, MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' }, answers: [], width: 5000 };
  const found: string[] = [];
  for (const line of said) {
    const shown = await say(line.replace('RUN', run), options);
    expect(shown, line).toMatch(/\p{Script=Cyrillic}/u);
    for (const text of shown.split('\n'))
      if (!typed.test(text) && englishWords.test(text.replaceAll(typedWords, '')))
        found.push(`${line}: ${text}`);
  }
  expect(found).toEqual([]);
});
