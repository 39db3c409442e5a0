import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/program.ts';
import { packageFiles, runCli } from '../../support/cli.ts';
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
async function described(line: string[]): Promise<string[][]> {
  const words = line.map((word) => `--words=${word}`);
  const { stdout, stderr, exitCode } = await runCli(['completion', 'bash', ...words]);
  expect([stderr, exitCode]).toEqual(['', 0]);
  const lines = stdout.split('\n').filter((text) => text !== '');
  return lines.map((text) => text.split('\t'));
}

const offered = async (line: string[]) => (await described(line)).map(([name]) => name);

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
});
