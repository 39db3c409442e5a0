import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type CliResult, runCli, temporaryDirectory } from '../support/cli.ts';
import { startPlainService } from '../support/plain-service.ts';

/**
 * How many files of src one order passes through by each command. These ceilings only fall; the aims are 90, 50, 45 and
 * 36. A file counts when one of its functions is called while the command runs for the second time in this process, so
 * that the loading of modules does not count, with a new configuration directory, and a service that uses nothing of src.
 */
const ceilings = { import: 131, create: 78, cancel: 67, get: 51 };
/** How far a count may fall before its ceiling has to be lowered. */
const slack = 5;

type Command = keyof typeof ceilings;
type Run = (...args: string[]) => Promise<CliResult>;

const header =
  'externalOrderId,customer.phone,items[].sku,items[].quantity,collectionMode,collectionAmount,total';

/** What each command needs for an order before it runs; returns the command line. */
const prepared: Record<Command, (id: string, run: Run) => Promise<string[]>> = {
  import: async (id) => {
    const file = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(file, `${header}\n${id},99112233,TEA-001,1,COLLECT,25000,25000\n`);
    return ['import', file];
  },
  create: async (id) => createArgs(id),
  cancel: async (id, run) => {
    await run(...createArgs(id));
    return ['cancel', id, '--reason', 'out of stock'];
  },
  get: async (id, run) => {
    await run(...createArgs(id));
    return ['get', id];
  },
};

function createArgs(id: string): string[] {
  const order = ['--external-order-id', id, '--phone', '99112233', '--item', 'TEA-001', '--collect', '25000'];
  return ['create', ...order];
}

/** The files of src in which V8 counts a call of a function. */
async function filesThatRun(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
  const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]?.count));
  return ran.flatMap(({ url }) => /\/(src\/[^?]+\.ts)/.exec(url)?.[1] ?? []).sort();
}

it.each(Object.entries(ceilings))(
  'one order passes by %s through at most %i files',
  async (name, ceiling) => {
    const service = await startPlainService();
    onTestFinished(() => service.stop());
    const run: Run = async (...args) => {
      const result = await runCli([...args, '--yes'], { env: service.env });
      expect(result.exitCode, result.stderr).toBe(0);
      return result;
    };
    const prepare = prepared[name as Command];
    await run(...(await prepare('UB-1', run)));
    const args = await prepare('UB-2', run);
    const files = await filesThatRun(() => run(...args));
    const count = files.length;
    expect(count, `There are more files on the way than before:\n${files.join('\n')}`).toBeLessThanOrEqual(
      ceiling,
    );
    expect(count, `Fewer files on the way: lower the ceiling of ${name}`).toBeGreaterThanOrEqual(
      ceiling - slack,
    );
  },
);
