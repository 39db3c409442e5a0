import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  configurationFolder,
  type Ended,
  type Job,
  readJob,
  run,
  startSandbox,
  writeResult,
} from './program.ts';

export interface Day {
  folder: string;
  configuration: string;
  port: string;
  runs: string[];
  steps: ({ command: string } & Ended)[];
  /** Of the folder and, without their content, of the configuration. */
  files: Record<string, string>;
}

/** The commands of a working day. The files of the day are in the folder already. */
const job = readJob<Job>();
const sandbox = await startSandbox(job);
const here = (name: string) => join(job.folder, name);
// As PowerShell writes both files: echo KEY > key.txt
const inUtf16 = (text: string) => Buffer.from(`\uFEFF${text}\r\n`, 'utf16le');
const order = { externalOrderId: 'WIN-2', customer: { phone: '99112233' }, items: [{ sku: 'TEA-001' }] };
const create = ['create', '--phone', '99112233', '--item', 'TEA-001', '--prepaid', '--yes'];

const commands: [args: string[], stdin?: Buffer][] = [
  [['login', '--base-url', sandbox.baseUrl, '--with-key'], inUtf16(sandbox.apiKey)],
  [['whoami']],
  [['doctor']],
  [[...create, '--external-order-id', 'WIN-1', '--set', 'note=Хаалганы код 12']],
  [['create', '--file', here('order.json'), '--prepaid', '--yes']],
  [['get', 'WIN-1']],
  [['import', 'orders.csv', '--dry-run']],
  // One at a time, so that the order numbers of both systems are the same.
  [['import', 'orders.csv', '--concurrency', '1', '--yes']],
  [['import', here('orders.csv'), '--yes']],
  [['import', here('orders-to-fix.csv'), '--yes']],
  [['import', here('orders-to-fix.csv'), '--on-invalid', 'skip', '--concurrency', '1', '--yes']],
  [['import', here('no such file.csv'), '--yes']],
  [['import', 'orders.csv', '--write-map', here('orders.map.json')]],
  [['import', 'orders.csv', '--map', here('orders.map.json'), '--results', here('again.csv'), '--yes']],
  [['list', '--all', '--format', 'csv', '--columns', 'externalOrderId,status,collectionAmount']],
  [['list', '--output', here('list.csv')]],
  [['cancel', 'WIN-1', '--reason', 'out of stock', '--yes']],
  [['settle']],
  [['imports']],
  [['mappings']],
  [['completion', 'powershell']],
];
writeFileSync(here('order.json'), inUtf16(JSON.stringify(order)));
const steps: Day['steps'] = [];
for (const [args, stdin] of commands) {
  const ended = await run(job, args, stdin === undefined ? {} : { stdin });
  steps.push({ command: args.join(' '), ...ended });
}
const { stdout: imports } = await run(job, ['imports', '--json']);
sandbox.stop();
const configuration = configurationFolder();
const names = readdirSync(job.folder).filter((name) => !name.startsWith('sandbox.db'));
// Node.js 20 keeps no compile cache.
const kept = readdirSync(configuration).filter(
  (name) => !name.startsWith('ledger.db-') && name !== 'compile-cache',
);
writeResult(job, {
  folder: job.folder,
  configuration,
  port: new URL(sandbox.baseUrl).port,
  runs: (JSON.parse(imports) as { imports: { run: string }[] }).imports.map(({ run: id }) => id),
  steps,
  files: Object.fromEntries([
    ...names.map((name) => [name, readFileSync(here(name), 'utf8')]),
    ...kept.map((name) => [`<configuration>/${name}`, '']),
  ]),
} satisfies Day);
