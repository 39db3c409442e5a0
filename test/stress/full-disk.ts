import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { request } from 'undici';
import { errorIn } from '../support/cli.ts';
import { noFigures, printFigures } from './import/figures.ts';
import { createOrders, writeOrderFile } from './import/order-file.ts';
import { isThere, readResults } from './import/results.ts';
import { setUpImport, startImport } from './import/run-import.ts';
import { createOrder, path, type ServedSandbox, startSandbox } from './import/sandbox.ts';

/*
 * A file system that is full, in memory; a user who may not mount it runs this again as root of a user namespace. First
 * the sandbox is on it: orders are created until it is full, and after space is freed. Then the ledger of an import, with
 * more and more space. A full disk is named, no order that was acknowledged is lost, and none is created twice. Prints the figures and
 * exits with 1 when one of them is wrong.
 */
const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const disk = join(folder, 'disk');
const filler = join(disk, 'filler');
const kibibytes = 1024;

const sandboxFigures = noFigures(
  'acknowledged',
  'refusedAsFull',
  'otherResponses',
  'lost',
  'refusedAfterwards',
);
const importFigures = noFigures(
  'imports',
  'stoppedAsFull',
  'otherEnds',
  'wrongResults',
  'contradictions',
  'repeatedHints',
  'createdTwice',
  'missingAtEnd',
);

mkdirSync(disk);
mountDisk();
try {
  await fillSandbox();
  await fillLedger();
} finally {
  spawnSync('umount', ['--lazy', disk], { stdio: 'inherit' });
  rmSync(folder, { recursive: true, force: true });
}
printFigures(
  sandboxFigures,
  {
    acknowledged: (count) => count > 0,
    refusedAsFull: (count) => count > 0,
  },
  ['otherResponses', 'lost', 'refusedAfterwards'],
);
printFigures(
  importFigures,
  {
    stoppedAsFull: (count) => count > 3,
  },
  ['otherEnds', 'wrongResults', 'contradictions', 'repeatedHints', 'createdTwice', 'missingAtEnd'],
);

async function fillSandbox(): Promise<void> {
  const service = await startSandbox(join(disk, 'sandbox'), 'default');
  leaveFree(1500);
  const acknowledged = new Map<string, string>();
  await createMany(service, 600, (status, id, text) => {
    if (status === 201) acknowledged.set(id, text);
    else if (status === 507) sandboxFigures.refusedAsFull += 1;
    else sandboxFigures.otherResponses += 1;
  });
  sandboxFigures.acknowledged = acknowledged.size;
  rmSync(filler);
  for (const [id, text] of acknowledged) {
    const { body } = await request(`${service.baseUrl}${path}/${id}`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    if ((await body.text()) !== text) sandboxFigures.lost += 1;
  }
  const { orders } = await service.info();
  sandboxFigures.lost += Math.abs(orders - acknowledged.size);
  await createMany(service, 20, (status) => {
    if (status !== 201) sandboxFigures.refusedAfterwards += 1;
  });
  await service.stop();
  rmSync(join(disk, 'sandbox'), { recursive: true });
}

/** Creates orders, sixteen at a time, without a second attempt. */
async function createMany(
  service: ServedSandbox,
  count: number,
  end: (status: number, id: string, text: string) => void,
): Promise<void> {
  let started = 0;
  const work = async () => {
    while (started < count) {
      started += 1;
      const key = crypto.randomUUID();
      const { status, id, text } = await createOrder(service, key, { externalOrderId: key });
      end(status, id, text);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

async function fillLedger(): Promise<void> {
  const service = await startSandbox(join(folder, 'sandbox'), 'default');
  const setup = setUpImport(folder, service);
  setup.configDirectory = join(disk, 'config');
  const orders = createOrders('FD', 1500);
  writeOrderFile(setup.file, orders);
  // From here on an import has room to begin.
  const reserved = 2112;
  const more = [8, 16, 32, 48, 64, 80, 112, 150, 300].map((free) => reserved + free);
  for (const free of [0, 8, 150, ...more, undefined]) {
    if (free === undefined) rmSync(filler, { force: true });
    else leaveFree(free);
    const { exitCode, stderr } = await startImport(setup).ended;
    importFigures.imports += 1;
    // 8 when the response to an order that was sent could not be recorded.
    const isFull = [7, 8].includes(exitCode ?? 0) && stderr.includes('cannot be written: the disk is full.');
    if (free !== undefined && isFull) importFigures.stoppedAsFull += 1;
    else if (exitCode !== 0) {
      importFigures.otherEnds += 1;
      console.error(stderr);
    }
    const commits = await service.commits();
    importFigures.createdTwice += [...commits.values()].filter((count) => count !== 1).length;
    if (statSync(setup.results, { throwIfNoEntry: false }) === undefined) continue;
    const results = readResults(setup.results);
    importFigures.wrongResults += results.filter(
      (result) => isThere(result) !== commits.has(result.external_order_id),
    ).length;
    importFigures.contradictions += results.filter(
      ({ outcome, message }) => outcome === 'unknown' && message.includes('not sent'),
    ).length;
    if (exitCode === 0) continue;
    const { hint } = errorIn(stderr);
    if (hint.split(/run the same command again/i).length > 2) importFigures.repeatedHints += 1;
    if (free === undefined) importFigures.missingAtEnd = orders.length - commits.size;
  }
  await service.stop();
}

/** Fills the disk up to this many KiB. */
function leaveFree(free: number): void {
  rmSync(filler, { force: true });
  try {
    writeFileSync(filler, Buffer.alloc(16 * kibibytes * kibibytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  truncateSync(filler, Math.max(0, statSync(filler).size - free * kibibytes));
}

/** Mounts the disk, here or, by ending this process, in a user namespace. */
function mountDisk(): void {
  const { status, error, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk], {
    encoding: 'utf8',
  });
  if (status === 0) return;
  rmSync(folder, { recursive: true });
  const [, script = '', isInNamespace] = process.argv;
  const namespace = ['--user', '--map-root-user', '--mount'];
  if (!isInNamespace && spawnSync('unshare', [...namespace, 'true']).status === 0) {
    const again = [process.execPath, script, 'in-namespace'];
    process.exit(spawnSync('unshare', [...namespace, ...again], { stdio: 'inherit' }).status ?? 1);
  }
  const reason = error?.message ?? stderr.trim().split('\n')[0];
  console.error(
    `No file system can be mounted here, not even in a user namespace of unshare. Run this as root. (${reason})`,
  );
  process.exit(1);
}
