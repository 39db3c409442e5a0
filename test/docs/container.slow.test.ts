import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';
import { startServedSandbox } from '../support/program.ts';

const read = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8');

/** The list of words after a name, in a Dockerfile or a compose file. */
function words(text: string, name: string): string[] {
  const [, list = ''] = new RegExp(`\\b${name}:? (\\[".*"\\])$`, 'm').exec(text) ?? [];
  return JSON.parse(list);
}

it('has a health check in the image and in the example for compose, which tells whether the sandbox responds', async () => {
  const dockerfile = read('Dockerfile');
  const [command = '', ...args] = words(dockerfile, 'CMD');
  expect(words(read('docs/sandbox.md'), 'test')).toEqual(['CMD', command, ...args]);
  const [program, ...start] = words(dockerfile, 'ENTRYPOINT');
  expect([program, ...start.slice(0, 2)]).toEqual(['merchant-orders', 'sandbox', 'start']);
  const flags = start
    .slice(2)
    .map((flag) => (flag.startsWith('/') ? join(temporaryDirectory(), 'sandbox.db') : flag));
  const { baseUrl, stop } = await startServedSandbox(...flags);
  const check = () => {
    const there = args.map((arg) => arg.replace('http://127.0.0.1:4010', baseUrl));
    expect(there).not.toEqual(args);
    return spawnSync(command, there).status;
  };
  expect(check()).toBe(0);
  expect(await stop('SIGTERM')).toBe(0);
  expect(check()).toBe(1);
});
