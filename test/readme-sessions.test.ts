import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot, temporaryDirectory } from './support/cli.ts';
import { program } from './support/program.ts';

interface Step {
  command: string;
  /** What the README prints after it. */
  output: string;
}

const readme = readFileSync(new URL('README.md', packageRoot), 'utf8');

/** Each command of the sessions, which begins with `$ `, with the lines that follow it. */
function sessions(): Step[] {
  const blocks = [...readme.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [, command = '', output = ''] = /^((?:[^\n]*\\\n)*[^\n]*\n)(.*)$/s.exec(step) ?? [];
        return { command, output };
      }),
  );
}

/** What differs from run to run. */
function masked(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/ORD-\d{4}-/g, 'ORD-YEAR-')
    .trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

it('the sessions of the README print what they say', { timeout: 60_000 }, async () => {
  const steps = sessions();
  expect(steps.length).toBeGreaterThan(10);
  const folder = temporaryDirectory();
  const start = `sandbox start --port ${await freePort()}`;
  const script = [
    'exec 2>&1',
    ...steps.flatMap(({ command }, place) => [
      command.replace('sandbox start', start).trimEnd(),
      `echo; echo "== ${place}"`,
    ]),
    'kill %1',
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
      // It is gone already.
    }
  });
  const chunks: string[] = [];
  shell.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  await once(shell, 'close');
  const outputs = chunks.join('').split(/^== \d+\n/m);
  for (const [place, { command, output }] of steps.entries()) {
    expect([command, masked(outputs[place] ?? '')]).toEqual([command, masked(output)]);
  }
});
