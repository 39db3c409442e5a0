import { spawn } from 'node:child_process';
import { closeSync, constants, cpSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { program, runProgram, startServedSandbox } from './support/program.ts';
import { ctrlC } from './support/typing.ts';

const kinds = ['terminal', 'pipe', 'file', 'closed'] as const;
type Kind = (typeof kinds)[number];

interface Case {
  command: keyof typeof commands;
  streams: readonly [stdin: Kind, stdout: Kind, stderr: Kind];
  setting: keyof typeof settings;
}

const settings = {
  none: { env: {}, flags: [] },
  CI: { env: { CI: '1' }, flags: [] },
  dumb: { env: { TERM: 'dumb' }, flags: [] },
  NO_COLOR: { env: { NO_COLOR: '1' }, flags: [] },
  'no input': { env: {}, flags: ['--no-input'] },
} satisfies Record<string, { env: Record<string, string>; flags: string[] }>;

/** The exit codes without and with questions, and what standard output is where it is no terminal. */
const commands = {
  list: {
    args: ['list', '--columns', 'externalOrderId,status'],
    exitCode: 0,
    stdout: /^externalOrderId\tstatus\nUB-1\tCONFIRMED\n$/,
  },
  get: { args: ['get', 'UB-404'], exitCode: 3, stdout: /^$/ },
  create: { args: ['create'], exitCode: 2, asked: 130, stdout: /^$/ },
  cancel: { args: ['cancel', 'UB-1'], exitCode: 2, asked: 130, stdout: /^$/ },
  import: {
    args: ['import', 'orders.csv', '--dry-run', '--json'],
    exitCode: 0,
    stdout: /^\{\n {2}"file": "orders.csv",\n.*\n\}\n$/s,
  },
} satisfies Record<string, { args: string[]; exitCode: number; asked?: number; stdout: RegExp }>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are set by it.
const colour = /\u001b\[(?:3|9)\dm/;

/** A terminal of 80 columns that belongs to no program; resolves with its device, what was written to it, and its keys. */
async function openTerminal() {
  const holder = spawn('script', [
    '-qefc',
    'stty rows 24 cols 80; trap "" INT; tty; exec sleep 1000',
    '/dev/null',
  ]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  let written = '';
  holder.stdout.on('data', (chunk) => {
    written += String(chunk);
  });
  while (!/\/dev\/\S+\s/.test(written)) await new Promise((resolve) => setTimeout(resolve, 20));
  const device = /\/dev\/\S+/.exec(written)?.[0] ?? '';
  let marks = 0;
  return {
    device,
    clear: () => {
      written = '';
    },
    peek: () => written,
    /** Until everything that a program wrote before has arrived here. */
    settle: async () => {
      marks += 1;
      const mark = `(end of case ${marks})`;
      const terminal = openSync(device, constants.O_WRONLY | constants.O_NOCTTY);
      writeSync(terminal, mark);
      closeSync(terminal);
      while (!written.includes(mark)) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    type: (keys: string) => holder.stdin.write(keys),
  };
}

type Terminal = Awaited<ReturnType<typeof openTerminal>>;

/** Runs one case and returns what is wrong with it. */
async function faultsOf(
  { command, streams, setting }: Case,
  terminal: Terminal,
  folder: string,
  env: Record<string, string>,
): Promise<string[]> {
  terminal.clear();
  const paths = ['in', 'out', 'err'].map((name) =>
    join(folder, `${terminal.device.replaceAll('/', '-')}.${name}`),
  );
  const open = (kind: Kind, place: number): 'pipe' | 'ignore' | number => {
    if (kind === 'terminal') return openSync(terminal.device, constants.O_RDWR | constants.O_NOCTTY);
    if (kind === 'file') return openSync(paths[place] ?? '', place === 0 ? 'a+' : 'w');
    return kind === 'pipe' ? 'pipe' : 'ignore';
  };
  const stdio = streams.map(open);
  const closing = streams.map((kind, place) => (kind === 'closed' ? `${place}>&-` : '')).join(' ');
  const { args, stdout, ...expected } = commands[command];
  const { env: changed, flags } = settings[setting];
  const { CI: _, NO_COLOR: __, ...own } = process.env;
  const words = [process.execPath, program, ...args, ...flags];
  const child = spawn('sh', ['-c', `exec "$@" ${closing}`, 'sh', ...words], {
    cwd: folder,
    env: { ...own, TERM: 'xterm', ...env, ...changed },
    stdio: stdio as ['pipe', 'pipe', 'pipe'],
  });
  const written: [string, string] = ['', ''];
  for (const [place, stream] of [child.stdout, child.stderr].entries()) {
    stream?.on('data', (chunk) => {
      written[place as 0 | 1] += String(chunk);
    });
  }
  child.stdin?.end();
  let typedAt = 0;
  // A question that is not left would wait for ever; before its program reads keys one by one, Ctrl-C is lost.
  const leaving = setInterval(() => {
    if (Date.now() - typedAt > 2000 && terminal.peek().includes('?')) {
      typedAt = Date.now();
      terminal.type(ctrlC);
    }
  }, 50);
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(leaving);
  clearTimeout(limit);
  for (const one of stdio) if (typeof one === 'number') closeSync(one);
  await terminal.settle();
  for (const place of [1, 2] as const) {
    if (streams[place] === 'file') written[(place - 1) as 0 | 1] = readFileSync(paths[place] ?? '', 'utf8');
  }

  const [stdin, out, error] = streams;
  const canAsk =
    stdin === 'terminal' && error === 'terminal' && !['CI', 'dumb', 'no input'].includes(setting);
  const wanted = canAsk && 'asked' in expected ? expected.asked : expected.exitCode;
  const [outText, errorText] = written;
  return [
    ...(exitCode === wanted ? [] : [`exit code ${exitCode} instead of ${wanted}`]),
    ...(written.join('').includes('\u001b') ? ['escape codes off a terminal'] : []),
    ...((out === 'pipe' || out === 'file') && !stdout.test(outText)
      ? [`stdout is ${JSON.stringify(outText.slice(0, 100))}`]
      : []),
    ...((error === 'pipe' || error === 'file') && wanted > 0 && !/^error: /m.test(errorText)
      ? [`stderr is ${JSON.stringify(errorText.slice(0, 100))}`]
      : []),
    ...(setting === 'dumb' && terminal.peek().includes('\u001b') ? ['escape codes on a dumb terminal'] : []),
    ...(setting === 'NO_COLOR' && colour.test(terminal.peek()) ? ['colours'] : []),
    ...(/This is a bug|Unhandled|at \S+ \(/.test(outText + errorText + terminal.peek()) ? ['a crash'] : []),
  ];
}

it('asks, writes and exits rightly with every kind of stream', async () => {
  const { baseUrl, apiKey } = await startServedSandbox();
  const folder = temporaryDirectory();
  const env = {
    MERCHANT_ORDERS_CONFIG_DIR: folder,
    MERCHANT_ORDERS_BASE_URL: baseUrl,
    MERCHANT_ORDERS_API_KEY: apiKey,
  };
  cpSync(new URL('fixtures/orders.csv', packageRoot), join(folder, 'orders.csv'));
  const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-001', '--prepaid'];
  expect(await runProgram(['create', ...order], { env })).toMatchObject({ exitCode: 0 });

  // Each triple of streams meets every command, each under another setting, and each command every setting.
  const names = Object.keys(commands) as Case['command'][];
  const cases = kinds.flatMap((stdin, first) =>
    kinds.flatMap((stdout, second) =>
      kinds.flatMap((stderr, third) =>
        (Object.keys(settings) as Case['setting'][]).map((setting, index): Case => {
          const command = names[(index + first + 2 * second + 3 * third) % names.length] ?? 'list';
          return { command, streams: [stdin, stdout, stderr], setting };
        }),
      ),
    ),
  );
  const queue = cases.values();
  const found: string[] = [];
  const work = async () => {
    const terminal = await openTerminal();
    for (const one of queue) {
      const faults = await faultsOf(one, terminal, folder, env);
      if (faults.length > 0)
        found.push(`${one.command} ${one.streams.join(' ')} ${one.setting}: ${faults.join(', ')}`);
    }
  };
  await Promise.all([work(), work()]);
  process.stdout.write(`${cases.length} cases of streams\n`);
  expect(found).toEqual([]);
});
