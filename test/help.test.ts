import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { createProgram } from '../src/program.ts';
import { packageFiles, runCli } from './support/cli.ts';

/** With all of its commands, so with their examples too. */
async function readProgram(): Promise<Command> {
  const output = { data: () => undefined, note: () => undefined };
  const none = () => Promise.reject(new Error('nothing is run'));
  const names = (await createProgram([], packageFiles, none, output)).commands.map((command) =>
    command.name(),
  );
  return createProgram(names, packageFiles, none, output);
}

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
];

const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

it('says in the help what every command and every flag does, and which values it takes', async () => {
  const program = await readProgram();
  const undescribed = (command: Command, path: string): string[] => [
    ...(command.description() === '' ? [path] : []),
    ...command.options
      .filter(({ description, argChoices = [] }) => description === '' || argChoices.includes(''))
      .map(({ flags }) => `${path} ${flags}`),
    ...command.commands.flatMap((child) => undescribed(child, `${path} ${child.name()}`)),
  ];
  expect(undescribed(program, program.name())).toEqual([]);
});

describe('help', () => {
  it.each([
    ['a command', ['help', 'list'], /^Usage: merchant-orders list .*\n\nlist orders\n\nExamples:\n/],
    ['a subcommand', ['help', 'sandbox', 'start'], /^Usage: merchant-orders sandbox start /],
    ['everything', ['help'], /^Usage: merchant-orders \[options\] \[command\]/],
    ['the environment', ['help', 'environment'], /^Environment variables/],
  ])('explains %s', async (_, args, text) => {
    const { stdout, stderr, exitCode } = await runCli(args);
    expect(stdout).toMatch(text);
    expect([stderr, exitCode]).toEqual(['', 0]);
  });

  it('says in Mongolian too what happens without a flag', async () => {
    const { stdout } = await runCli(['import', '--help'], {
      env: { MERCHANT_ORDERS_LANG: 'mn' },
      answers: [],
    });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('(сонголт: stop, skip) (бичээгүй бол stop)');
  });

  it('names every exit code', async () => {
    const { stdout } = await runCli(['help', 'exit-codes']);
    const named = Array.from(stdout.matchAll(/^ {2}(\d+) /gm), ([, code]) => Number(code));
    expect(named).toEqual(Object.values(exitCodes));
  });

  it('of a command has examples that fit a terminal, and paragraphs without breaks', async () => {
    const program = await readProgram();
    const lines = withSubcommands(program).map((command) => command.description().split('\n'));
    expect(lines.flat().filter((line) => /^ {2,6}[$>-]|^ {6}/.test(line) && line.length > 80)).toEqual([]);
    const broken = lines.flatMap(([, ...text]) =>
      text.filter((line, index) => /^\S/.test(line) && /^\S/.test(text[index + 1] ?? '')),
    );
    expect(broken).toEqual([]);
  });

  it.each(['en', 'mn'])(
    'fits a terminal in %s, and that of import a screen with the prompt below it',
    async (language) => {
      const program = await readProgram();
      const names = withSubcommands(program).map((command) => pathOf(command));
      const env = { MERCHANT_ORDERS_LANG: language };
      for (const words of names) {
        const { stdout } = await runCli([...words, '--help'], { env, answers: [] });
        const lines = stdout.trimEnd().split('\n');
        expect(
          lines.filter((line) => line.length > 80),
          words.join(' '),
        ).toEqual([]);
        if (words.join(' ') === 'import') expect(lines.length).toBeLessThan(24);
      }
    },
  );

  it.each([[['help', 'orders']], [['help', 'sandbox', 'stop']]])(
    'names what there is help about: %j',
    async (args) => {
      const { stdout, stderr, exitCode } = await runCli(args);
      expect(stderr).toMatch(/^error: There is no help about this topic\.\nChoose one of: /);
      expect([stdout, exitCode]).toEqual(['', 2]);
    },
  );
});
