import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../src/program.ts';
import { packageRoot } from './support/cli.ts';

it('says in the help what every command and every flag does, and which values it takes', async () => {
  const output = { data: () => undefined, note: () => undefined };
  const none = () => Promise.reject(new Error('nothing is run'));
  const names = (await createProgram([], packageRoot, none, output)).commands.map((command) =>
    command.name(),
  );
  const program = await createProgram(names, packageRoot, none, output);
  const undescribed = (command: Command, path: string): string[] => [
    ...(command.description() === '' ? [path] : []),
    ...command.options
      .filter(({ description, argChoices = [] }) => description === '' || argChoices.includes(''))
      .map(({ flags }) => `${path} ${flags}`),
    ...command.commands.flatMap((child) => undescribed(child, `${path} ${child.name()}`)),
  ];
  expect(undescribed(program, program.name())).toEqual([]);
});
