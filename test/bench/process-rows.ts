import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { installDebianPackages } from '../support/debian.ts';
import { program } from '../support/program.ts';
import { type Bench, type BenchRow, createEnvironment, node, ratioResult, startBareService } from './row.ts';

/** Each round is one call of hyperfine, with a few runs of the floor and of ours. */
function measureProcess(
  { folder, rounds }: Bench,
  env: Record<string, string>,
  args: string,
): [floor: number, ours: number][] {
  const json = join(folder, 'hyperfine.json');
  return Array.from({ length: rounds }, () => {
    const options = ['--shell', 'none', '--ignore-failure', '--warmup', '1', '--runs', '7'];
    const { error, status, stderr } = spawnSync(
      'hyperfine',
      [...options, '--export-json', json, `${node} -e 0`, `${node} ${program} ${args}`],
      { encoding: 'utf8', env: { ...process.env, ...env } },
    );
    if (error !== undefined || status !== 0) throw new Error(`hyperfine failed: ${error?.message ?? stderr}`);
    const { results } = JSON.parse(readFileSync(json, 'utf8')) as { results: { median: number }[] };
    return [results[0]?.median ?? Number.NaN, results[1]?.median ?? Number.NaN];
  });
}

const against = 'bare node -e 0';

export const processRows: readonly BenchRow[] = [
  {
    name: 'start',
    measure: async (bench) => {
      installDebianPackages(['hyperfine']);
      const env = createEnvironment(bench, 'start');
      const starts = { '--version': '--version', '--help': '--help', 'a usage error': '--nope' };
      return Object.entries(starts).map(([what, args]) =>
        ratioResult({ what, against, goal: '<= 1.25' }, measureProcess(bench, env, args)),
      );
    },
  },
  {
    name: 'get',
    measure: async (bench) => {
      installDebianPackages(['hyperfine']);
      const service = await startBareService(0);
      const env = createEnvironment(bench, 'get', service.baseUrl);
      const pairs = measureProcess(bench, env, 'get 01a20150-9549-7d1b-a9d7-000000000001 --json');
      await service.stop();
      return [ratioResult({ what: 'get of one order', against, goal: '<= 2.5' }, pairs)];
    },
  },
];
