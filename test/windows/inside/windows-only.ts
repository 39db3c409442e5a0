import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  configurationFolder,
  type Job,
  readJob,
  run,
  start,
  startSandbox,
  writeOrders,
  writeResult,
} from './program.ts';

/** What happened, and what should have. */
export type Checks = Record<string, { found: unknown; expected: unknown }>;

/** A flag of libuv on Windows: no other process may open the file. */
const exclusively = 0x10000000;

const job = readJob<Job>();
const sandbox = await startSandbox(job);
const env = { MERCHANT_ORDERS_BASE_URL: sandbox.baseUrl, MERCHANT_ORDERS_API_KEY: sandbox.apiKey };
const here = (name: string) => join(job.folder, name);
const checks: Checks = {};
const check = (what: string, found: unknown, expected: unknown) => {
  checks[what] = { found, expected };
};
/** Others may read the file, but neither write nor replace it, as while it is open in Excel. Returns what ends that. */
async function openAsExcelDoes(name: string): Promise<() => Promise<unknown>> {
  const size = () => statSync(here(name)).size;
  const before = size();
  const child = spawn('cmd.exe', ['/d', '/c', `pause >> ${name}`], {
    cwd: job.folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Not by opening it, which could keep cmd from doing so.
  while (size() === before) await delay(1);
  return () => {
    const ended = once(child, 'close');
    child.stdin.end();
    return ended;
  };
}

const firstLine = ({ stderr }: { stderr: string }) => stderr.split('\n')[0];
const openInExcel = 'it is open in another program, such as Excel';

writeOrders(here('few.csv'), 3);
writeOrders(here('more.csv'), 300);
for (const name of ['few', 'more'])
  await run(job, ['import', `${name}.csv`, '--limit', '1', '--yes'], { env });

const closeFew = await openAsExcelDoes('few.results.csv');
const before = await sandbox.info();
const refused = await run(job, ['import', here('few.csv'), '--yes'], { env });
await closeFew();
const after = await sandbox.info();
check(
  'results open in Excel: nothing is sent',
  [firstLine(refused), refused.exitCode, after.orders],
  [`error: ${here('few.results.csv')} cannot be written: ${openInExcel}.`, 2, before.orders],
);

const importing = start(job, ['import', here('more.csv'), '--yes'], { env });
while ((await sandbox.info()).orders < before.orders + 10) await delay(1);
const closeMore = await openAsExcelDoes('more.results.csv');
const elsewhere = await importing.ended;
await closeMore();
const configuration = configurationFolder();
const [saved = ''] = readdirSync(configuration).filter((name) => name.endsWith('.results.csv'));
const lines =
  saved === '' ? 0 : readFileSync(join(configuration, saved), 'utf8').trimEnd().split('\n').length;
const note = `${here('more.results.csv')} cannot be written: ${openInExcel}, or it is protected from changes. It was written to ${join(configuration, saved)} instead.`;
check(
  'results opened in Excel meanwhile: they are kept',
  [elsewhere.stderr.includes(note) || elsewhere.stderr, elsewhere.exitCode, lines],
  [true, 0, 301],
);

await run(job, ['list', '--output', 'list.csv'], { env });
const closeList = await openAsExcelDoes('list.csv');
const unlisted = await run(job, ['list', '--output', here('list.csv')], { env });
await closeList();
check(
  'a list open in Excel',
  [firstLine(unlisted), unlisted.exitCode],
  [`error: ${here('list.csv')} cannot be written: ${openInExcel}.`, 2],
);

const orders = openSync(here('few.csv'), constants.O_RDWR | exclusively);
const unread = await run(job, ['import', here('few.csv'), '--yes'], { env });
closeSync(orders);
check(
  'orders that another program has open alone',
  [firstLine(unread), unread.exitCode],
  [`error: ${here('few.csv')} cannot be read: ${openInExcel}.`, 2],
);

const none = here('no folder');
const unspooled = await run(job, ['import', '-', '--dry-run'], { env: { ...env, TEMP: none, TMP: none } });
check(
  'TEMP that does not exist',
  [unspooled.stderr.split('\n').slice(0, 2), unspooled.exitCode],
  [
    [
      `error: No temporary file can be written to ${none}: it does not exist.`,
      'Name another folder in TEMP, and run the same command again.',
    ],
    2,
  ],
);

const quoted = await run(job, ['cancel', 'W-1', '--reason', "'out", 'of', "stock'", '--yes'], { env });
check('single quotes in cmd', [quoted.exitCode, (await sandbox.info()).orders > 0], [2, true]);

sandbox.stop();
writeResult(job, checks);
