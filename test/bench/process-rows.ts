import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { program } from '../support/program.ts';
import { type Bench, type BenchRow, createEnvironment, node, ratioResult, startBareService } from './row.ts';

/** Ten runs of the floor and of ours a round, in turns: these take so little time that each disturbance shows. */
function measureProcess(
  { rounds }: Bench,
  env: Record<string, string>,
  argsOf: (run: number) => readonly string[],
): [floor: number, ours: number][] {
  const time = (args: readonly string[]) => {
    const started = performance.now();
    const { status } = spawnSync(node, args, { stdio: 'ignore', env: { ...process.env, ...env } });
    const seconds = (performance.now() - started) / 1000;
    if (status !== (args.includes('--nope') ? 2 : 0))
      throw new Error(`${args.join(' ')} ended with ${status}`);
    return seconds;
  };
  return Array.from({ length: 10 * rounds }, (_, run) => [
    time(['-e', '0']),
    time([program, ...argsOf(run)]),
  ]);
}

const against = 'bare node -e 0';

const starts = {
  '--version': { args: ['--version'], hold: { atMost: 1.25 } },
  '--help': { args: ['--help'], hold: { atMost: 1.3 } },
  'a usage error': { args: ['--nope'], hold: { atMost: 1.3 } },
};

export const processRows: readonly BenchRow[] = [
  {
    name: 'start',
    isQuick: true,
    measure: async (bench) => {
      const env = createEnvironment(bench, 'start');
      return Object.entries(starts).map(([what, { args, hold }]) =>
        ratioResult(
          { what, against, hold },
          measureProcess(bench, env, () => args),
        ),
      );
    },
  },
  {
    name: 'get',
    isQuick: true,
    measure: async (bench) => {
      const service = await startBareService(0);
      const env = createEnvironment(bench, 'get', service.baseUrl);
      const args = ['get', '01a20150-9549-7d1b-a9d7-000000000001', '--json'];
      const pairs = measureProcess(bench, env, () => args);
      await service.stop();
      return [ratioResult({ what: 'get of one order', against, hold: { atMost: 2.39 } }, pairs)];
    },
  },
  {
    name: 'create',
    isQuick: true,
    measure: async (bench) => {
      const service = await startBareService(0);
      const env = createEnvironment(bench, 'create', service.baseUrl);
      const pairs = measureProcess(bench, env, (run) => [
        ...['create', '--external-order-id', `UB-${run}`, '--phone', '99112233', '--item', 'TEA-001'],
        ...['--collect', '45000', '--yes', '--json'],
      ]);
      await service.stop();
      return [ratioResult({ what: 'create of one order with flags', against, hold: { atMost: 3.3 } }, pairs)];
    },
  },
];
