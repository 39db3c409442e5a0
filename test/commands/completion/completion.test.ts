import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/program.ts';
import { packageFiles, runCli, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { startShop } from '../imports/setup.ts';
import cases from './completion.json' with { type: 'json' };

const shells = ['bash', 'zsh', 'fish', 'powershell'];

async function wholeProgram(): Promise<Command> {
  const output = { data: () => undefined, note: () => undefined };
  const open = () => Promise.reject(new Error('nothing is run'));
  const { commands } = await createProgram([], packageFiles, open, output);
  return createProgram(
    commands.map((command) => command.name()),
    packageFiles,
    open,
    output,
  );
}

/** What is offered at the end of a line, with the descriptions. It never fails, and says nothing else. */
async function described(line: string[], configDirectory = temporaryDirectory()): Promise<string[][]> {
  const words = line.map((word) => `--words=${word}`);
  const { stdout, stderr, exitCode } = await runCli(['completion', 'bash', ...words], { configDirectory });
  expect([stderr, exitCode]).toEqual(['', 0]);
  const lines = stdout.split('\n').filter((text) => text !== '');
  return lines.map((text) => text.split('\t'));
}

const offered = async (line: string[], configDirectory?: string) =>
  (await described(line, configDirectory)).map(([name]) => name);

describe('completion', () => {
  it.each(shells)('prints a script for %s, which asks for the words', async (shell) => {
    const { stdout, stderr, exitCode } = await runCli(['completion', shell]);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toMatch(new RegExp(`merchant-orders completion ${shell} ["@]`));
  });

  it('refuses a shell that it has no script for', async () => {
    const { stdout, stderr, exitCode } = await runCli(['completion', 'tcsh']);
    expect(stderr).toContain('bash, zsh, fish, powershell');
    expect([stdout, exitCode]).toEqual(['', 2]);
  });
});

describe('the words at the cursor', () => {
  it('are every command and every flag of the program, each with a description of one line', async () => {
    const program = await wholeProgram();
    const check = async (command: Command, path: string[]): Promise<void> => {
      const visible = command.options.filter(({ hidden }) => !hidden);
      const flags = [...visible, ...program.options].flatMap(({ long, short }) => [long, short]);
      const children = command.commands.map((child) => child.name());
      const shown = [
        ...(children.length === 0 ? [] : await described([...path, ''])),
        ...(await described([...path, '-'])),
      ];
      const names = shown.map(([name]) => name);
      expect([path, names]).toEqual([
        path,
        expect.arrayContaining([...children, ...flags.filter((name) => name !== undefined)]),
      ]);
      expect(shown.filter(([, description = '', ...more]) => description === '' || more.length > 0)).toEqual(
        [],
      );
      for (const child of command.commands) await check(child, [...path, child.name()]);
    };
    await check(program, []);
  });

  it.each(cases.words as [string, string[]][])('%s', async (line, expected) => {
    // A space or a bar ends a word.
    expect(await offered(line.replace(/\|$/, '').split(/[ |]/))).toEqual(expected);
  });

  it('are the names of profiles, mappings and imports', async () => {
    const { configDirectory, newest, run, csv, ...shop } = await startShop(1);
    const profile = { baseUrl: 'https://shop.example', apiKey: 'key-of-a-shop' };
    writeFileSync(join(configDirectory, '..', 'map.json'), '{}');
    await shop.import();
    await run(['mappings', 'add', csv, join(configDirectory, '..', 'map.json')]);
    const id = (await newest()).run;
    writeFileSync(join(configDirectory, 'config.json'), JSON.stringify({ profiles: { 'shop-1': profile } }), {
      mode: 0o600,
    });
    const profiles = [['shop-1', 'https://shop.example']];
    expect(await described(['--profile', ''], configDirectory)).toEqual(profiles);
    expect(await described(['list', '-p', ''], configDirectory)).toEqual(profiles);
    expect(await described(['profiles', 'use', ''], configDirectory)).toEqual(profiles);
    expect(await described(['mappings', 'show', ''], configDirectory)).toEqual([['orders']]);
    expect(await described(['imports', 'show', ''], configDirectory)).toEqual([[id, csv]]);
  });

  it('are the product codes of orders that were created at a terminal, but for those that a shell would split', async () => {
    const configDirectory = temporaryDirectory();
    const { cli } = await startService();
    const create = (id: string, sku: string, answers?: boolean[]) => {
      const args = ['create', '--external-order-id', id, '--phone', '99112233', '--item', sku, '--prepaid'];
      return cli(args, { ...(answers && { answers }), configDirectory });
    };
    await create('UB-1', 'TEA-1');
    expect(await offered(['create', '--item', ''], configDirectory)).toEqual([]);
    for (const [index, sku] of ['TEA-1', 'on its way', '$(id)', 'TEA-1'].entries())
      await create(`UB-${index + 2}`, sku, [true]);
    expect(await offered(['create', '--item', ''], configDirectory)).toEqual(['TEA-1']);
  });
});
