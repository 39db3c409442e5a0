import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start, temporaryFile } from '../../sandbox/start.ts';
import { createInterruption, packageRoot, runCli, temporaryDirectory } from '../../support/cli.ts';

const folder = new URL('fixtures/behaviours/', packageRoot);
const shipped = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => ({
    name: file.replace('.json', ''),
    description: JSON.parse(readFileSync(new URL(file, folder), 'utf8')).description as string,
  }));

describe('sandbox behaviours', () => {
  it('lists those that come with the package', async () => {
    const { stdout, stderr, exitCode } = await runCli(['sandbox', 'behaviours', '--json']);
    expect(JSON.parse(stdout)).toEqual({ behaviours: shipped });
    expect(stderr).toBe('To use one, run: merchant-orders sandbox start --behaviour NAME\n');
    expect(exitCode).toBe(0);
  });
});

describe('sandbox reset', () => {
  const info = async (configDirectory: string) =>
    JSON.parse((await runCli(['sandbox', 'info', '--json'], { configDirectory })).stdout);

  it.each([
    [[], '1 products', 'The sandbox is empty now. Its keys and its catalogue are unchanged.\n'],
    [
      ['--everything'],
      '61 products',
      'The sandbox is empty now. It has the built-in catalogue again, and its only keys are those that sandbox info shows.\n',
    ],
  ])('%j deletes the orders and leaves %s', async (flags, catalogue, note) => {
    const configDirectory = temporaryDirectory();
    const file = join(configDirectory, 'catalogue.csv');
    writeFileSync(file, 'sku\nTEA-001\n');
    const interruption = createInterruption();
    interruption.send('SIGTERM');
    const start = ['sandbox', 'start', '--port', '0', '--catalogue', file];
    expect((await runCli(start, { configDirectory, interruption })).exitCode).toBe(0);
    const order = ['--external-order-id', 'A', '--phone', '99112233', '--item', 'TEA-001', '--prepaid'];
    expect((await runCli(['create', '--sandbox', ...order], { configDirectory })).exitCode).toBe(0);
    const before = await info(configDirectory);
    expect(before).toMatchObject({ orders: 1, catalogue: '1 products' });
    const { stdout, stderr, exitCode } = await runCli(['sandbox', 'reset', ...flags], { configDirectory });
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: note, exitCode: 0 });
    const { apiKey, readOnlyApiKey } = before;
    expect(await info(configDirectory)).toMatchObject({ orders: 0, catalogue, apiKey, readOnlyApiKey });
  });

  it.each([
    [[], false],
    [['--everything'], true],
  ])('%j of one that is served warns of what stays there: %s', async (flags, warns) => {
    const file = temporaryFile();
    const { sandbox } = await start({ file, isPublic: true });
    const reset = ['sandbox', 'reset', '--quiet', '--db', file, ...flags];
    const { stderr, exitCode } = await runCli(reset);
    const warning = `warning: It is being served at ${sandbox.baseUrl}. Faults, a behaviour and a time that were set there stay: to reset them too, restart it, or send POST /_sandbox/reset with {"everything": true}.\n`;
    expect([stderr, exitCode]).toEqual([warns ? warning : '', 0]);
    await sandbox.stop();
    expect((await runCli(reset)).stderr).toBe('');
  });

  it('names a missing folder of the database', async () => {
    const folder = join(temporaryDirectory(), 'missing');
    const { stderr, exitCode } = await runCli(['sandbox', 'start', '--db', join(folder, 'sandbox.db')]);
    expect(stderr).toContain(
      `error: There is no folder ${folder} for the sandbox database.\nCreate it, or give another file with --db.\n`,
    );
    expect(exitCode).toBe(2);
  });
});
