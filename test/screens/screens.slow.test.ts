import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../support/cli.ts';
import { startServedSandbox } from '../support/program.ts';
import { openTerminal, type Step } from './terminal.ts';

const enter = '\r';
const up = '\u001b[A';
const down = '\u001b[B';

const list = ['Захиалга,Авсан дүн,Хөлс', 'UB-10001,302251.50,6000', 'UB-10002,5к,5000', 'UB-10009,1000,5000'];

interface Task {
  title: string;
  command: string;
  steps?: readonly { en?: Step; mn?: Step }[];
}

const street = 'Сөүлийн гудамж 12, 4 тоот';

/** A step in English and in Mongolian. */
const step = (english: Step, mongolian: Step) => ({ en: english, mn: mongolian });

/** The commonest tasks, in an order in which one shop may do them. */
const tasks = (baseUrl: string, apiKey: string): Task[] => [
  {
    title: 'log in',
    command: 'merchant-orders login',
    steps: [
      { mn: ['Language', `${up}${enter}`] },
      step(['Base URL', `${baseUrl}${enter}`], ['Системийн хаяг', `${baseUrl}${enter}`]),
      step(['API key', `not-the-key${enter}`], ['? API түлхүүр', `not-the-key${enter}`]),
      step(['to stop. ? API key', `${apiKey}${enter}`], ['дарна уу. ? API түлхүүр', `${apiKey}${enter}`]),
    ],
  },
  { title: 'which service and key are used', command: 'merchant-orders whoami' },
  {
    title: 'create an order, answering questions',
    command: 'merchant-orders create',
    steps: [
      step(['Phone number', `99112233${enter}`], ['утасны дугаар', `99112233${enter}`]),
      step(['item 1', `TEA-001${enter}`], ['1-р барааны код', `TEA-001${enter}`]),
      step(['How many?', `2${enter}`], ['Хэдэн ширхэг', `2${enter}`]),
      step(['item 2', `TEA-002${enter}`], ['2-р барааны код', `TEA-002${enter}`]),
      step(['How many?', `1${enter}`], ['Хэдэн ширхэг', `1ш${enter}`]),
      step(['item 3', enter], ['3-р барааны код', enter]),
      step(['city', `Улаанбаатар${enter}`], ['хот, аймаг', `Улаанбаатар${enter}`]),
      step(['district', enter], ['дүүрэг, сум', enter]),
      step(['street', `${street}${enter}`], ['хороо, байр', `${street}${enter}`]),
      step(['Note', enter], ['тэмдэглэл', enter]),
      step(['collect money?', `yes${enter}`], ['төлбөр авах уу?', `авна${enter}`]),
      step(['How much', `45,000${enter}`], ['хэдэн төгрөг', `45,000${enter}`]),
      step(['of the order', enter], ['нийт дүн', enter]),
      step(['Delivery date', `tomorrow${enter}`], ['Хүргэх өдөр', `маргааш${enter}`]),
      step(['? (Y/n)', enter], ['зөв үү?', enter]),
      step(['order ID', `UB-1${enter}`], ['захиалгын ID', `UB-1${enter}`]),
      step(['collect 45,000 ₮?', `y${enter}`], ['Үүсгэх үү?', `үүсгэ${enter}`]),
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
    steps: [
      step(['Reason', `out of stock${enter}`], ['Цуцлах шалтгаан', `бараа дууссан${enter}`]),
      step(['SANDBOX: cancel', `y${enter}`], ['цуцлах уу?', `цуцал${enter}`]),
    ],
  },
  { title: 'cancel it again', command: 'merchant-orders cancel UB-2 --reason "out of stock"' },
  { title: 'check a file', command: 'merchant-orders import orders.csv --dry-run' },
  { title: 'import a file with problems', command: 'merchant-orders import orders-invalid.csv' },
  {
    title: 'import a file',
    command: 'merchant-orders import orders.csv --concurrency 1',
    steps: [step(['SANDBOX', `y${enter}`], ['(тийм/Үгүй)', `т${enter}`])],
  },
  { title: 'import it again', command: 'merchant-orders import orders.csv' },
  { title: 'what became of the orders of a file', command: 'merchant-orders status orders.csv' },
  {
    title: 'compare them with the list of a courier',
    command: 'merchant-orders status orders.csv --cash monday.csv',
    steps: [
      step(['was collected?', `${down}${enter}`], ['авсан мөнгө аль', `${down}${enter}`]),
      step(['fee of the courier?', `${down}${down}${enter}`], ['хөлс аль', `${down}${down}${enter}`]),
    ],
  },
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
  const monthAndDay = tomorrow.toISOString().slice(5, 10).replace('-', '\\.');
  const shortDay = new RegExp(`(?<!\\d\\.)${monthAndDay} `, 'g');
  const isoDay = new RegExp(`(?<!YYYY-MM-DD: )${tomorrow.toISOString().slice(0, 10)}`, 'g');
  return screen
    .replaceAll(isoDay, 'YYYY-MM-DD')
    .replaceAll(`${Number(day)} ${month} CONFIRMED`, 'DAY CONFIRMED')
    .replaceAll(/ day +status/g, ' day status')
    .replaceAll(/\b\w+day \d{1,2} \w+ \d{4}\b/g, 'WEEKDAY DAY MONTH YEAR')
    .replaceAll(shortDay, 'MM.DD')
    .replaceAll(/\d{4} оны \d{1,2} сарын \d{1,2}, \p{L}+/gu, 'YEAR оны MONTH сарын DAY, WEEKDAY')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, uuid)
    .replaceAll(/\d{4}-\d\d-\d\d (?=\d\d:\d\d$)/gm, 'YYYY-MM-DD ')
    .replaceAll(/\b\d\d:\d\d\b/g, 'HH:MM')
    .replaceAll(/ORD-\d{4}-/g, 'ORD-YEAR-')
    .replaceAll(/127\.0\.0\.1:\d{5}/g, '127.0.0.1:PORT0')
    .replaceAll(/…[0-9a-f]{4}\b/g, '…KEY0')
    .replace(/merchant-orders-screens-\w{6}/g, 'merchant-orders-screens-FOLDER')
    .replace(/(the last import is) [0-9a-f]{8}/, '$1 IMPORT00')
    .replace(/^(\S+ +Node\.js +).*$/m, '$1version NODE')
    .replace(/^(pass +disk +).*$/m, '$1FREE')
    .replace(/^(\S+ +диск +).*(?:\n {3}.*)*$/m, '$1FREE')
    .replace(/(сүүлийн оруулалтын ID) [0-9a-f]{8}/, '$1 IMPORT00');
}

const uuid = '00000000-0000-4000-8000-000000000000';

const terminals = [
  [80, 24, 'mn'],
  [120, 40, 'en'],
  [80, 24, 'en'],
  [120, 40, 'mn'],
] as const;
const isWhole = process.env.SCREENS === 'all' || process.env.UPDATE_SCREENS === '1';

/** Each size and each language once, all of them with SCREENS=all. */
it.each(terminals.slice(0, isWhole ? 4 : 2))(
  'the screens of the commonest tasks at %i x %i in %s, which UPDATE_SCREENS=1 writes',
  async (columns, rows, language) => {
    // Paths are on the screens, so that the folder has a name of always the same length.
    const folder = mkdtempSync('/tmp/merchant-orders-screens-');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const name of ['orders.csv', 'orders-invalid.csv']) {
      cpSync(new URL(`fixtures/${name}`, packageRoot), join(folder, name));
    }
    writeFileSync(join(folder, 'monday.csv'), `${list.join('\n')}\n`);
    const { baseUrl, apiKey } = await startServedSandbox();
    // Without the variable, login asks for the language in the time zone of the terminal.
    const env: Record<string, string> = language === 'en' ? { MERCHANT_ORDERS_LANG: language } : {};
    const terminal = openTerminal({ columns, rows, folder, env });
    const screens: string[] = [];
    for (const { title, command, steps = [] } of tasks(baseUrl, apiKey)) {
      const screen = await terminal.run(
        command,
        steps.flatMap((step) => (step[language] === undefined ? [] : [step[language]])),
      );
      screens.push(`== ${title}\n\n${masked(screen)}`);
    }
    const path = new URL(`${columns}x${rows}${language === 'en' ? '' : `.${language}`}.txt`, import.meta.url);
    const shown = screens.join('\n\n');
    if (process.env.UPDATE_SCREENS === '1') writeFileSync(path, shown);
    expect(shown).toBe(readFileSync(path, 'utf8'));
  },
);
