import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../support/cli.ts';
import { startServedSandbox } from '../support/program.ts';
import { openTerminal, type Step } from './terminal.ts';

const enter = '\r';

interface Task {
  title: string;
  command: string;
  steps?: readonly Step[];
}

const reason: Step = ['Reason', `out of stock${enter}`];

/** The commonest tasks, in an order in which one shop may do them. */
const tasks = (baseUrl: string, apiKey: string): Task[] => [
  {
    title: 'log in',
    command: 'merchant-orders login',
    steps: [
      ['Base URL', `${baseUrl}${enter}`],
      ['API key', `not-the-key${enter}`],
      ['to stop. ? API key', `${apiKey}${enter}`],
    ],
  },
  { title: 'which service and key are used', command: 'merchant-orders whoami' },
  {
    title: 'create an order, answering questions',
    command: 'merchant-orders create',
    steps: [
      ['Phone number', `99112233${enter}`],
      ['item 1', `TEA-001${enter}`],
      ['How many?', `2${enter}`],
      ['item 2', `TEA-002${enter}`],
      ['How many?', `1${enter}`],
      ['item 3', enter],
      ['city', `Улаанбаатар${enter}`],
      ['district', enter],
      ['street', `Сөүлийн гудамж 12, 4 тоот${enter}`],
      ['Note', enter],
      ['collect money?', `yes${enter}`],
      ['How much', `45,000${enter}`],
      ['of the order', enter],
      ['Delivery date', `tomorrow${enter}`],
      ['? (Y/n)', enter],
      ['order ID', `UB-1${enter}`],
      ['collect 45,000 ₮?', `y${enter}`],
    ],
  },
  {
    title: 'create an order, with flags',
    command:
      'merchant-orders create --external-order-id UB-2 --phone 88112233 --item TEA-001 --prepaid --yes',
  },
  {
    title: 'create an order, with a mistake in each field',
    command:
      "merchant-orders create --external-order-id ' ' --phone 9.91E+07 --item sku= --collect 45,00 --delivery-date 2026-02-30",
  },
  { title: 'show an order', command: 'merchant-orders get UB-1' },
  { title: 'show an order that does not exist', command: 'merchant-orders get ORD-2020-000001' },
  {
    title: 'cancel an order',
    command: 'merchant-orders cancel UB-2',
    steps: [reason, ['SANDBOX: cancel', `y${enter}`]],
  },
  { title: 'cancel it again', command: 'merchant-orders cancel UB-2 --reason "out of stock"' },
  { title: 'check a file', command: 'merchant-orders import orders.csv --dry-run' },
  { title: 'import a file with problems', command: 'merchant-orders import orders-invalid.csv' },
  {
    title: 'import a file',
    command: 'merchant-orders import orders.csv --concurrency 1',
    steps: [['SANDBOX', `y${enter}`]],
  },
  { title: 'import it again', command: 'merchant-orders import orders.csv' },
  { title: 'list the orders', command: 'merchant-orders list' },
  {
    title: 'list some orders',
    command: 'merchant-orders list --customer-phone 99112233 --created-from today',
  },
  {
    title: 'cancel several orders, of which one does not exist',
    command: 'merchant-orders cancel UB-1 UB-2 UB-404 --reason "out of stock" --yes',
  },
  { title: 'find out why something does not work', command: 'merchant-orders doctor' },
];

/** Replaces what differs from run to run by a text of the same length, so that lines break where they did. */
function masked(screen: string): string {
  // The clock of the terminal is 8 hours ahead of UTC.
  const tomorrow = new Date(Date.now() + 32 * 3_600_000);
  const [, day, month] = tomorrow.toUTCString().split(' ');
  // The day in the hint to a wrong date is always the same, and tomorrow once.
  const isoDay = new RegExp(`(?<!YYYY-MM-DD: )${tomorrow.toISOString().slice(0, 10)}`, 'g');
  return screen
    .replaceAll(isoDay, 'YYYY-MM-DD')
    .replaceAll(`${Number(day)} ${month}`.padEnd(10), 'DAY MONTH ')
    .replaceAll(/\b\w+day \d{1,2} \w+ \d{4}\b/g, 'WEEKDAY DAY MONTH YEAR')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uuid)
    .replaceAll(/\d{4}-\d\d-\d\d (?=\d\d:\d\d$)/gm, 'YYYY-MM-DD ')
    .replaceAll(/\b\d\d:\d\d\b/g, 'HH:MM')
    .replaceAll(/ORD-\d{4}-/g, 'ORD-YEAR-')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:PORT0')
    .replaceAll(/…[0-9a-f]{4}\b/g, '…KEY0')
    .replace(/merchant-orders-screens-\w{6}/g, 'merchant-orders-screens-FOLDER')
    .replace(/(the last import is) [0-9a-f]{8}/, '$1 IMPORT00')
    .replace(/^(pass +Node\.js +).*$/m, '$1version NODE')
    .replace(/^(pass +disk +).*$/m, '$1FREE');
}

const uuid = '00000000-0000-4000-8000-000000000000';

it.each([
  [80, 24],
  [120, 40],
])('the screens of the commonest tasks at %i x %i, which UPDATE_SCREENS=1 writes', async (columns, rows) => {
  // Paths are on the screens, so that the folder has a name of always the same length.
  const folder = mkdtempSync('/tmp/merchant-orders-screens-');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['orders.csv', 'orders-invalid.csv']) {
    cpSync(new URL(`fixtures/${name}`, packageRoot), join(folder, name));
  }
  const { baseUrl, apiKey } = await startServedSandbox();
  const terminal = openTerminal({ columns, rows, folder });
  const screens: string[] = [];
  for (const { title, command, steps = [] } of tasks(baseUrl, apiKey)) {
    const screen = await terminal.run(command, steps);
    screens.push(`== ${title}\n\n${masked(screen)}`);
  }
  const path = new URL(`${columns}x${rows}.txt`, import.meta.url);
  const shown = screens.join('\n\n');
  if (process.env.UPDATE_SCREENS === '1') writeFileSync(path, shown);
  expect(shown).toBe(readFileSync(path, 'utf8'));
});
