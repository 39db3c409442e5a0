import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageRoot, runCli } from '../../support/cli.ts';

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

  it('is a table', async () => {
    const { stdout } = await runCli(['sandbox', 'behaviours']);
    const rows = shipped.map(({ name, description }) => `${name}\t${description}\n`);
    expect(stdout).toBe(`name\tdescription\n${rows.join('')}`);
  });
});
