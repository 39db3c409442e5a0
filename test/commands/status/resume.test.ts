import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, createInterruption, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startProgram } from '../../support/program.ts';
import { startService } from '../../support/service.ts';
import { header, rowOf, shop } from './shop.ts';

const count = 120;
/** More than there are requests at the same time. */
const stopAt = 80;
const isFound = (row: string) => /,ORD-2026-\d{6},CONFIRMED,PENDING,5000,5000,[\d-]+,$/.test(row);

/** A service with the orders of a file, of which the ledger of `configDirectory` knows nothing. */
async function unknownOrders() {
  let onLookup = (_done: number): void => undefined;
  let lookups = 0;
  const { sandbox, env } = await startService({
    onRequest: ({ path }) => {
      if (path.includes('externalOrderId=')) onLookup(++lookups);
    },
  });
  const ids = Array.from({ length: count }, (_, index) => `UB-${index}`);
  const files = shop([header, ...ids.map((id) => rowOf(id))]);
  const imported = await runCli(['import', files.file, '--yes'], { env });
  expect(imported.exitCode, imported.stderr).toBe(0);
  lookups = 0;
  const configDirectory = temporaryDirectory();
  const folder = join(configDirectory, 'lookups');
  const cli = (args: string[] = [], options: CliOptions = {}) =>
    runCli(['status', files.file, ...args], { env, configDirectory, ...options });
  /** Stops it by Ctrl-C after this many lookups. */
  const stopAfter = async (number: number, options: CliOptions = {}) => {
    const interruption = createInterruption();
    onLookup = (done) => {
      if (done === number) interruption.send('SIGINT');
    };
    const result = await cli([], { interruption, ...options });
    onLookup = () => undefined;
    expect(result.exitCode, result.stderr).toBe(130);
    expect(existsSync(join(files.folder, 'orders.status.csv'))).toBe(false);
    return result;
  };
  const kept = () => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const keptFile = () => join(folder, kept()[0] ?? '');
  return {
    ...files,
    ...{ sandbox, env, configDirectory, keptFolder: folder, cli, stopAfter, kept, keptFile },
    states: () => files.rows().slice(1),
    /** Runs `onDone` in the service after so many lookups. */
    afterLookups: (number: number, onDone: () => void) => {
      onLookup = (done) => {
        if (done === number) onDone();
      };
    },
    lookups: () => lookups,
    forgetLookups: () => {
      lookups = 0;
    },
  };
}

const goesOn = /^Goes on with (\d+) of 120 orders, looked up since \d\d:\d\d\.$/m;
const countKept = (stderr: string) => Number(goesOn.exec(stderr)?.[1] ?? 0);

describe('status that was stopped', () => {
  it('goes on after SIGKILL with what was looked up', async () => {
    const { env, file, configDirectory, sandbox, states, kept, ...service } = await unknownOrders();
    const before = sandbox.requestCount();
    const { child, ended } = startProgram(['status', file], { env, configDirectory });
    service.afterLookups(stopAt, () => child.kill('SIGKILL'));
    expect((await ended).exitCode).toBeNull();
    expect(statSync(service.keptFile()).mode & 0o777).toBe(0o600);
    const next = await startProgram(['status', file], { env, configDirectory }).ended;
    expect(next.exitCode, next.stderr).toBe(0);
    // Those in flight are looked up again.
    expect(countKept(next.stderr)).toBeGreaterThanOrEqual(stopAt - 64);
    expect(states().filter(isFound)).toHaveLength(count);
    expect(service.lookups()).toBeLessThanOrEqual(count + 64);
    expect(sandbox.requestCount() - before).toBeLessThan(count + 64 + 20);
    expect(kept()).toEqual([]);
  });

  it('says after Ctrl-C that it goes on, and since when', async () => {
    const { stopAfter, cli, env, states, file, kept, keptFile, keptFolder, lookups } = await unknownOrders();
    const stopped = await stopAfter(stopAt);
    expect(stopped.stderr).toContain(
      `Stopped. Nothing was written.\nRun the same command again within an hour; it goes on with what was looked up.\n  merchant-orders status ${file}\n`,
    );
    const content = readFileSync(keptFile(), 'utf8');
    expect(content).toContain('ORD-2026-');
    for (const secret of ['99112233', env.MERCHANT_ORDERS_API_KEY]) expect(content).not.toContain(secret);
    const { stderr, stdout, exitCode } = await cli(['--json']);
    expect(exitCode, stderr).toBe(0);
    const number = countKept(stderr);
    expect(number).toBeGreaterThanOrEqual(stopAt - 64);
    expect(Date.parse(JSON.parse(stdout).lookedUpSince)).toBeLessThanOrEqual(Date.now());
    expect(states().filter(isFound)).toHaveLength(count);
    expect(lookups()).toBeLessThanOrEqual(count + 64);
    expect(kept()).toEqual([]);
    expect(readdirSync(keptFolder)).toEqual([]);
    expect((await cli(['--json'])).stdout).not.toContain('lookedUpSince');
  });

  it('says so in Mongolian at a terminal', async () => {
    const { stopAfter, cli, env } = await unknownOrders();
    const inMongolian = { answers: [], env: { ...env, MERCHANT_ORDERS_LANG: 'mn' } };
    await stopAfter(stopAt, inMongolian);
    const { stderr } = await cli([], inMongolian);
    expect(stderr).toMatch(/Үргэлжлүүлж байна: 120 захиалгын \d+ нь \d\d:\d\d цагаас хойш тодруулагдсан\./);
  });

  it('begins anew after an hour', async () => {
    const { stopAfter, cli, keptFile, lookups, forgetLookups, states } = await unknownOrders();
    await stopAfter(stopAt);
    forgetLookups();
    const ahead = 61 * 60 * 1000;
    // A later run may have written to it.
    utimesSync(keptFile(), new Date(), new Date(Date.now() + ahead));
    const { stderr } = await cli([], { clock: { ahead } });
    expect(countKept(stderr)).toBe(0);
    expect(states().filter(isFound)).toHaveLength(count);
    // Some of the first run may arrive late.
    expect(lookups()).toBeGreaterThanOrEqual(count);
  });

  it('does not take what another file, flag, profile or key kept', async () => {
    const { stopAfter, cli, env, sandbox, file } = await unknownOrders();
    await stopAfter(stopAt);
    const other = { ...env, MERCHANT_ORDERS_API_KEY: sandbox.readOnlyApiKey };
    expect(countKept((await cli([], { env: other })).stderr)).toBe(0);
    expect(countKept((await cli(['--id-column', 'externalOrderId', '--id-prefix', 'X-'])).stderr)).toBe(0);
    const content = readFileSync(file, 'utf8');
    writeFileSync(file, content.replace('UB-0,', 'UB-00,'));
    expect(countKept((await cli()).stderr)).toBe(0);
    writeFileSync(file, content);
    expect(countKept((await cli()).stderr)).toBeGreaterThanOrEqual(stopAt - 64);
  });

  it('looks up again what was not found', async () => {
    const { stopAfter, cli, env, configDirectory, file, differences } = await unknownOrders();
    const content = readFileSync(file, 'utf8');
    const late = rowOf('LATE-1');
    writeFileSync(file, content.replace(header, `${header}\n${late}`));
    await stopAfter(stopAt);
    const other = shop([header, late]);
    await runCli(['import', other.file, '--yes'], { env, configDirectory });
    const { stderr, exitCode } = await cli();
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('Goes on with ');
    expect(differences()['LATE-1']).toBe('');
  });

  it('looks up again what was cancelled here since', async () => {
    const { stopAfter, cli, env, configDirectory, keptFile, differences } = await unknownOrders();
    await stopAfter(stopAt);
    const ids = [...readFileSync(keptFile(), 'utf8').matchAll(/external (UB-\d+)"/g)].map(([, id]) => id);
    const [cancelled = ''] = ids;
    const cancel = ['cancel', cancelled, '--reason', 'test', '--yes'];
    expect((await runCli(cancel, { env, configDirectory })).exitCode).toBe(0);
    const { stderr } = await cli();
    expect(countKept(stderr)).toBe(ids.length - 1);
    expect(differences()[cancelled]).toBe('cancelled');
  });

  it('ignores a line that is cut off or damaged', async () => {
    const { stopAfter, cli, keptFile, states } = await unknownOrders();
    await stopAfter(stopAt);
    const file = keptFile();
    const lines = readFileSync(file, 'utf8').split('\n').slice(1);
    writeFileSync(file, readFileSync(file, 'utf8').replace('CONFIRMED', 'DELIVERED'));
    truncateSync(file, statSync(file).size - 20);
    await stopAfter(stopAt + 20);
    const { stderr, exitCode } = await cli();
    expect(exitCode, stderr).toBe(0);
    expect(countKept(stderr)).toBeGreaterThanOrEqual(lines.length - 2);
    expect(states().filter(isFound)).toHaveLength(count);
  });

  it.each<[string, (path: string) => void]>([
    ['text', (path) => writeFileSync(path, 'nothing of the kind\n{}\n[]')],
    ['bytes', (path) => writeFileSync(path, Buffer.alloc(10_000, 0xff))],
    ['too many bytes', (path) => truncateSync(path, 65 * 1024 * 1024)],
    [
      'a link',
      (path) => {
        renameSync(path, `${path}.other`);
        symlinkSync(`${path}.other`, path);
      },
    ],
  ])('looks every order up where the file holds %s', async (_, damage) => {
    const { stopAfter, cli, keptFile, states, lookups, forgetLookups } = await unknownOrders();
    await stopAfter(stopAt);
    damage(keptFile());
    forgetLookups();
    const { stderr, exitCode } = await cli();
    expect(exitCode, stderr).toBe(0);
    expect(countKept(stderr)).toBe(0);
    // Some of the first run may arrive late.
    expect(lookups()).toBeGreaterThanOrEqual(count);
    expect(states().filter(isFound)).toHaveLength(count);
  });

  it('works without a place to keep anything', async () => {
    const { stopAfter, cli, configDirectory, states, file } = await unknownOrders();
    writeFileSync(join(configDirectory, 'lookups'), '');
    const { stderr } = await stopAfter(stopAt);
    expect(stderr).toContain(`it begins anew.\n  merchant-orders status ${file}\n`);
    expect((await cli()).exitCode).toBe(0);
    expect(states().filter(isFound)).toHaveLength(count);
  });

  it('does not mix with another process at the same time', async () => {
    const { afterLookups, cli, folder, rows, states, kept } = await unknownOrders();
    let second: ReturnType<typeof cli> | undefined;
    afterLookups(stopAt, () => {
      second = cli(['--output', join(folder, 'second.csv')]);
    });
    const first = await cli();
    const other = await second;
    expect([first.exitCode, other?.exitCode]).toEqual([0, 0]);
    expect(other?.stderr).not.toContain('Goes on');
    expect(rows('second.csv').slice(1)).toEqual(states());
    expect(states().filter(isFound)).toHaveLength(count);
    expect(kept()).toEqual([]);
  });

  it('removes what is old', async () => {
    const { stopAfter, configDirectory, keptFile, env, kept } = await unknownOrders();
    await stopAfter(stopAt);
    const old = keptFile();
    utimesSync(old, 0, 0);
    const other = shop(['externalOrderId', 'UB-1']);
    await runCli(['status', other.file], { env, configDirectory });
    expect(kept()).toEqual([]);
  });
});
