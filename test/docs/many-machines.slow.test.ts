import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../commands/import/setup.ts';
import { fixture } from '../import/tables.ts';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';
import { installDebianPackages } from '../support/debian.ts';
import { program, startServedSandbox } from '../support/program.ts';

const page = readFileSync(new URL('docs/many-machines.md', packageRoot), 'utf8');
const [inParallel = '', resume = '', merge = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, text]) => text ?? '',
);

describe('the commands for one machine', () => {
  beforeAll(() => installDebianPackages(['parallel']), 300_000);

  it('import a file with GNU parallel, resume one shard and merge the results', async () => {
    const served = await startServedSandbox();
    const folder = temporaryDirectory();
    copyFileSync(fixture('orders.csv'), join(folder, 'orders.csv'));
    const call = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
    const programs = temporaryDirectory();
    writeFileSync(join(programs, 'merchant-orders'), call, { mode: 0o755 });
    const env = {
      HOME: programs,
      PATH: `${programs}:${process.env.PATH}`,
      MERCHANT_ORDERS_CONFIG_DIR: join(programs, 'configuration'),
      MERCHANT_ORDERS_BASE_URL: served.baseUrl,
      MERCHANT_ORDERS_API_KEY: served.apiKey,
    };
    const run = (script: string) => {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script], {
        cwd: folder,
        env,
        encoding: 'utf8',
      });
      return { status, output: stdout + stderr };
    };
    const commits = async () => (await served.ledger()).orders.map((order) => order.commits);

    const imported = run(inParallel);
    expect([imported.output.match(/^created\t\d+$/gm)?.sort(), imported.status]).toEqual([
      ['created\t61', 'created\t63', 'created\t66', 'created\t74'],
      0,
    ]);
    expect(await commits()).toEqual(Array(264).fill(1));

    expect(run(merge)).toEqual({ status: 0, output: '' });
    const merged = rowsOf(join(folder, 'orders.results.csv'));
    expect(new Set(merged.map(({ outcome }) => outcome))).toEqual(new Set(['created']));

    const resumed = run(resume);
    expect([resumed.output, resumed.status]).toEqual([
      expect.stringContaining('All 63 orders exist already. Nothing was sent'),
      0,
    ]);
    expect(run('merchant-orders import orders.csv --yes --results whole.csv').status).toBe(0);
    const orderOf = ({ row, external_order_id, order_number }: Record<string, string>) =>
      `${row} ${external_order_id} ${order_number}`;
    const whole = rowsOf(join(folder, 'whole.csv')).map(orderOf);
    expect(merged.map(orderOf).sort()).toEqual(whole.sort());
    expect(await commits()).toEqual(Array(264).fill(1));
  });
});

describe('the Job of the page', () => {
  /** Later versions have the schema of a Kubernetes where a status may be left out; older ones refuse that. */
  const packages = ['kubernetes-models@4.5.1', 'yaml@2.8.1'];
  const [, manifest = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  const script = `
    import { writeFileSync } from 'node:fs';
    import { Job } from 'kubernetes-models/batch/v1';
    import { parse } from 'yaml';
    const job = parse(process.argv[1]);
    const type = "import type { IJob } from 'kubernetes-models/batch/v1';";
    writeFileSync('job.ts', type + ' export const job: IJob = ' + JSON.stringify(job));
    new Job(job).validate();`;

  /** What the validator says of a manifest, and then what the types, which also know the names of all fields. */
  function problemsOf(folder: string, text: string): string {
    const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    const { stderr } = run('--input-type=module', '--eval', script, text);
    const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--strict', '--skipLibCheck'];
    return stderr + run(...tsc, '--types', '', '--module', 'nodenext', '--target', 'es2022', 'job.ts').stdout;
  }

  it('fits the schema of Kubernetes, which finds a missing, an unknown and a wrong field', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'package.json'), '{}');
    const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...packages];
    expect(spawnSync('npm', install, { cwd: folder }).status).toBe(0);
    const root = fileURLToPath(packageRoot);
    symlinkSync(join(root, 'node_modules/typescript'), join(folder, 'node_modules/typescript'));

    expect(problemsOf(folder, manifest)).toBe('');
    const withoutStatus = problemsOf(folder, manifest.replace(/^ +status: .*\n/m, ''));
    expect(withoutStatus).toContain('onPodConditions/0 must have required property status');
    expect(problemsOf(folder, manifest.replace('emptyDir', 'emptyDirectory'))).toContain(
      `'"emptyDirectory"' does not exist in type 'IVolume'`,
    );
    expect(problemsOf(folder, manifest.replace('action: Ignore', 'action: Skip'))).toContain(
      'podFailurePolicy/rules/1/action must be equal to one of the allowed values',
    );
  });
});
