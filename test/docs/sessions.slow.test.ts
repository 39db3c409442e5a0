import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';
import { program, startServedSandbox } from '../support/program.ts';

const pages = [
  'README.md',
  ...readdirSync(new URL('docs', packageRoot))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** The address of the sandbox in the pages; the test replaces it with that of its own sandbox. */
const address = '127.0.0.1:4010';
/** Updates the output in the pages instead of comparing it. */
const isUpdate = process.env.UPDATE_DOCS === '1';

interface Step {
  command: string;
  /** What the page prints after the command. */
  output: string;
}

const blockShape = /^```console\n(.*?)^```$/gms;

/** The commands of a page, which begin with `$ `, each with the lines that follow it. */
function stepsOf(page: string): Step[] {
  return [...page.matchAll(blockShape)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [, command = '', output = ''] = /^((?:[^\n]*\\\n)*[^\n]*\n)(.*)$/s.exec(step) ?? [];
        return { command, output };
      }),
  );
}

/** Replaces values that differ from run to run. */
function masked(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/\b(?:today|\d{1,2} [A-Z][a-z]{2}|\d{4}-\d\d-\d\d) \d\d:\d\d\b/g, 'DAY')
      // Orders are sent at the same time, so their numbers are not in the order of the file.
      .replace(/ORD-\d{4}-\d{6}/g, 'ORD-YEAR-NUMBER')
      .replace(/"run": ?"[0-9a-f]{8}"/g, '"run":"RUN"')
      // One that a spreadsheet would take for a number, such as 0374e379, is protected.
      .replace(/,'?[0-9a-f]{8}$/gm, ',RUN')
      .replace(/"durationMs":\d+/g, '"durationMs":N')
      .replace(/…\w{4}\b/g, '…KEY')
      .trim()
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** In a pipe, the notes of the program and the output of the last command race to the terminal: the notes go last. */
function inOrder(command: string): string {
  return / \| \w/.test(command) ? `{ ${command}\n} 2> notes.txt; cat notes.txt; rm notes.txt` : command;
}

/** Runs all commands of a page in one shell, in an empty directory, and returns the output of each. */
async function runSteps(steps: readonly Step[]): Promise<string[]> {
  const folder = temporaryDirectory();
  const served = await startServedSandbox();
  const host = new URL(served.baseUrl).host;
  const start = `sandbox start --port ${await freePort()}`;
  writeFileSync(join(folder, 'key.txt'), served.apiKey);
  symlinkSync(fileURLToPath(new URL('fixtures', packageRoot)), join(folder, 'fixtures'));
  const script = [
    'exec 2>&1',
    ...steps.flatMap(({ command }, place) => [
      inOrder(command.replace('sandbox start', start).replaceAll(address, host).trimEnd()),
      `echo; echo "== ${place}"`,
    ]),
    'kill $(jobs -p) 2> /dev/null',
  ].join('\n');
  writeFileSync(join(folder, 'session.sh'), script);
  const call = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(folder, 'merchant-orders'), call, { mode: 0o755 });
  const { MERCHANT_ORDERS_API_KEY, MERCHANT_ORDERS_BASE_URL, ...env } = process.env;
  const shell = spawn('bash', ['session.sh'], {
    cwd: folder,
    env: { ...env, PATH: `${folder}:${env.PATH}`, MERCHANT_ORDERS_CONFIG_DIR: folder },
    detached: true,
  });
  onTestFinished(() => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch {
      // The shell has ended.
    }
  });
  const chunks: string[] = [];
  shell.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  await once(shell, 'close');
  const text = chunks.join('').replaceAll(host, address).replaceAll(folder, '~/.config/merchant-orders');
  return text.split(/^== \d+\n/m);
}

function write(path: string, page: string, outputs: readonly string[]): void {
  let place = 0;
  const written = page.replace(blockShape, (block) => {
    const steps = stepsOf(block).map(({ command }) => {
      const output = outputs[place]?.trim() ?? '';
      place += 1;
      return `$ ${command}${output === '' ? '' : `${output}\n`}`;
    });
    return `\`\`\`console\n${steps.join('')}\`\`\``;
  });
  writeFileSync(new URL(path, packageRoot), written);
}

const readPage = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8');
const pagesWithSessions = pages.filter((path) => stepsOf(readPage(path)).length > 0);

describe.each(pagesWithSessions)('%s', (path) => {
  const page = readPage(path);
  const steps = stepsOf(page);

  it('shows the output of its commands', { timeout: 300_000 }, async () => {
    const outputs = await runSteps(steps);
    if (isUpdate) return write(path, page, outputs);
    for (const [place, { command, output }] of steps.entries()) {
      expect([command, masked(outputs[place] ?? '')]).toEqual([command, masked(output)]);
    }
  });
});

it('covers the README and the pages on importing, the sandbox, scripting, security and own sheets', () => {
  expect(pagesWithSessions).toEqual([
    'README.md',
    'docs/import.md',
    'docs/sandbox.md',
    'docs/scripting.md',
    'docs/security.md',
    'docs/status.md',
    'docs/your-own-sheet.md',
  ]);
});
