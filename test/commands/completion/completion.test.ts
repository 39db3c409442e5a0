import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { readTree } from '../../../src/commands/completion/completion.ts';
import { createProgram } from '../../../src/program.ts';
import { packageRoot, runCli } from '../../support/cli.ts';

const shells = ['bash', 'zsh', 'fish'];

async function wholeProgram(): Promise<Command> {
  const output = { data: () => undefined, note: () => undefined };
  return createProgram(
    ['completion'],
    packageRoot,
    () => Promise.reject(new Error('nothing is run')),
    output,
  );
}

describe('completion', () => {
  it.each(shells)('names every command and every flag of the program in the script for %s', async (shell) => {
    const { stdout, stderr, exitCode } = await runCli(['completion', shell]);
    expect([stderr, exitCode]).toEqual(['', 0]);
    const missing = (command: Command): string[] => {
      const flags = command.options.map(({ long }) => long ?? '');
      // Fish has the flags without their dashes.
      const written = flags.map((flag) => (shell === 'fish' ? `-l ${flag.slice(2)} ` : flag));
      return [command.name(), ...written, ...command.commands.flatMap(missing)].filter(
        (text) => !stdout.includes(text),
      );
    };
    expect(missing(await wholeProgram())).toEqual([]);
  });

  it('describes each command and each flag in one line', async () => {
    const { commands, flags } = readTree(await wholeProgram(), []);
    const described = commands.flatMap((command) => [...command.subcommands, ...command.flags]);
    const whole = [...described, ...flags].map(({ description }) => description);
    expect(whole).toContain('create one order');
    expect(whole.filter((text) => text === '' || text.includes('\n'))).toEqual([]);
  });

  it('offers files, choices, profiles and imports where they are wanted', async () => {
    const { commands, flags } = readTree(await wholeProgram(), ['strict']);
    const valuesOf = (path: string, flag?: string) => {
      const command = commands.find((found) => found.path === path);
      const all = [...(command?.flags ?? []), ...flags];
      return flag === undefined ? command?.argument : all.find(({ names }) => names.includes(flag))?.values;
    };
    expect(valuesOf(' import')).toEqual({ kind: 'files', words: [] });
    expect(valuesOf(' import', '--map')).toEqual({ kind: 'files', words: [] });
    expect(valuesOf(' import', '--unpaid')).toEqual({
      kind: 'words',
      words: ['collect', 'prepaid', 'leave-out'],
    });
    expect(valuesOf(' import', '--dry-run')).toBeUndefined();
    expect(valuesOf(' create', '--phone')).toEqual({ kind: 'any' });
    expect(valuesOf(' sandbox start', '--behaviour')).toEqual({ kind: 'files', words: ['strict'] });
    expect(valuesOf(' list', '-p')).toMatchObject({ args: expect.stringMatching(/^profiles /) });
    expect(valuesOf(' profiles use')).toMatchObject({ args: expect.stringMatching(/^profiles /) });
    expect(valuesOf(' get')).toEqual({ kind: 'any' });
    expect(valuesOf(' help')).toMatchObject({ kind: 'words' });
  });

  it('prints names of profiles and of imports for the scripts', async () => {
    const { commands } = readTree(await wholeProgram(), []);
    for (const path of [' profiles use', ' imports show']) {
      const values = commands.find((command) => command.path === path)?.argument;
      const args = values?.kind === 'printed' ? values.args.split(' ') : [];
      const { stdout, exitCode } = await runCli(args);
      expect([path, stdout, exitCode]).toEqual([path, '', 0]);
    }
  });

  it('refuses a shell that it has no script for', async () => {
    const { stdout, stderr, exitCode } = await runCli(['completion', 'powershell']);
    expect(stderr).toContain('bash, zsh, fish');
    expect([stdout, exitCode]).toEqual(['', 2]);
  });
});
