import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { createInterruption, runCli } from '../support/cli.ts';

/*
 * Runs command lines, one at a time, that another process sends. That process notices when this one ends or no longer
 * responds, so that a frozen event loop, a crash and a full memory have a name.
 */
export interface Order {
  args: string[];
  env: Record<string, string>;
  stdin: Buffer | undefined;
  directory: string;
  configDirectory: string;
  temporary: string;
  interruptAfterMilliseconds: number | undefined;
}

export interface Done {
  stdout: string;
  stderr: string;
  exitCode: number;
  peakBytes: number;
}

process.on('message', (order: Order) => {
  run(order).then(
    (done) => process.send?.(done),
    (error) => {
      process.stderr.write(`${error?.stack ?? error}\n`);
      process.exit(99);
    },
  );
});
process.send?.('ready');

async function run({ args, env, stdin, directory, configDirectory, ...order }: Order): Promise<Done> {
  process.chdir(directory);
  process.env.TMPDIR = order.temporary;
  const interruption = createInterruption();
  const press = () => interruption.send('SIGINT');
  const delay = order.interruptAfterMilliseconds;
  const presses = delay === undefined ? [] : [setTimeout(press, delay), setTimeout(press, delay + 1000)];
  const before = forgetPeak();
  const input = stdin === undefined ? {} : { stdin: Buffer.from(stdin) };
  const { stdout, stderr, exitCode } = await runCli(args, { env, ...input, configDirectory, interruption });
  for (const timer of presses) clearTimeout(timer);
  return { stdout, stderr, exitCode, peakBytes: peak() - before };
}

/** Linux can start a new measurement; elsewhere the peak is that of the process. */
function forgetPeak(): number {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    return process.memoryUsage.rss();
  }
  return peak();
}

function peak(): number {
  try {
    const [, kilobytes] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
