import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/errors.ts';
import { packageRoot, runCli, temporaryDirectory } from '../support/cli.ts';

const page = readFileSync(new URL('docs/many-machines.md', packageRoot), 'utf8');
const [, manifest = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
const [, inArray = ''] = /^```sh\n(#!.*?)^```$/ms.exec(page) ?? [];
const [, inPod = ''] = /^ +args:\n +- (.*)$/m.exec(manifest) ?? [];

const { nothingSent, keyRefused, partly, unreachable, outcomeUnknown, terminated } = exitCodes;

/** The value of a field of the manifest, at any depth. */
function fieldOf(name: string): string | undefined {
  return new RegExp(`^[ -]*${name}: (.*)$`, 'm').exec(manifest)?.[1];
}

/** Runs a shell script and returns the arguments of each call of the program. */
async function callsOf(text: string, env: Record<string, string> = {}): Promise<string[][]> {
  const folder = temporaryDirectory();
  const stub = '#!/bin/sh\nfor word; do printf "%s\\t" "$word"; done; echo\n';
  writeFileSync(join(folder, 'merchant-orders'), stub, { mode: 0o755 });
  const path = `${folder}:${process.env.PATH}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', text], { env: { ...env, PATH: path } });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').slice(0, -1));
}

/** Runs the calls as dry runs and returns how many orders each would send. */
async function totalsOf(calls: string[][]): Promise<number[]> {
  const csv = join(temporaryDirectory(), 'orders.csv');
  copyFileSync(new URL('fixtures/orders.csv', packageRoot), csv);
  const runs = calls.map(async (args) => {
    const words = args.map((word) => (word.endsWith('orders.csv') ? csv : word));
    const { stdout } = await runCli([...words, '--dry-run', '--json']);
    return JSON.parse(stdout).orders.total;
  });
  return Promise.all(runs);
}

const callOf = (file: string, number: number) => ['import', file, '--shard', `${number}/4`, '--yes'];

describe('the shards of the page', () => {
  it('are complete with a Kubernetes Job', async () => {
    const indexes = [0, 1, 2, 3];
    const calls = await Promise.all(
      indexes.map((index) => callsOf(inPod, { JOB_COMPLETION_INDEX: String(index) })),
    );
    expect(calls).toEqual(indexes.map((index) => [callOf('/orders/orders.csv', index + 1)]));
    expect(await totalsOf(calls.flat())).toEqual([74, 61, 63, 66]);
    expect([fieldOf('completionMode'), fieldOf('completions'), fieldOf('command')]).toEqual([
      ...['Indexed', String(indexes.length), '[/bin/sh, -c]'],
    ]);
  });

  it('are restarted by the Job after the exit codes for which that is safe', () => {
    expect([fieldOf('restartPolicy'), fieldOf('action'), fieldOf('operator')]).toEqual([
      ...['Never', 'FailIndex', 'In'],
    ]);
    expect(JSON.parse(fieldOf('values') ?? '')).toEqual([nothingSent, keyRefused, partly]);
  });

  it('are complete with a job array of Slurm, and started again after the exit codes for which that is safe', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'srun'), '#!/bin/sh\necho "$@"\nexit "$CODE"\n', { mode: 0o755 });
    writeFileSync(join(folder, 'scontrol'), '#!/bin/sh\necho scontrol "$@"\n', { mode: 0o755 });
    const run = (env: Record<string, string>) => {
      const job = { SLURM_ARRAY_JOB_ID: '7', CODE: '0', PATH: `${folder}:${process.env.PATH}`, ...env };
      const { stdout, status } = spawnSync('/bin/sh', ['-c', inArray], { env: job, encoding: 'utf8' });
      return [...stdout.trimEnd().split('\n'), status];
    };
    expect(/^#SBATCH --array=1-4 /m.test(inArray)).toBe(true);
    for (const task of ['1', '2', '3', '4']) {
      const call = `merchant-orders import orders.csv --shard ${task}/4 --yes`;
      const resultOf = (CODE: string | number, SLURM_RESTART_COUNT = '4') =>
        run({ SLURM_ARRAY_TASK_ID: task, CODE: String(CODE), SLURM_RESTART_COUNT });
      for (const code of [0, 1, nothingSent, keyRefused, partly])
        expect(resultOf(code)).toEqual([call, code]);
      for (const code of [unreachable, outcomeUnknown, terminated]) {
        expect(resultOf(code)).toEqual([call, `scontrol requeue 7_${task}`, 0]);
        expect(resultOf(code, '5')).toEqual([call, code]);
      }
    }
  });
});

describe('the manifest of the page', () => {
  it('mounts its volumes and names its container in the failure policy', () => {
    const namesBelow = (name: string) => {
      const [block = ''] = new RegExp(`^( *)${name}:\\n(?:\\1 .*\\n)*`, 'm').exec(manifest) ?? [];
      return [...block.matchAll(/- name: (\S+)/g)].map(([, volume]) => volume);
    };
    expect(namesBelow('volumeMounts')).toEqual(['orders', 'ledger']);
    expect(namesBelow('volumes')).toEqual(['orders', 'ledger']);
    expect(namesBelow('containers')[0]).toBe(fieldOf('containerName'));
    expect(manifest).toContain(`
            - name: MERCHANT_ORDERS_CONFIG_DIR
              value: /ledger/merchant-orders
`);
  });
});
