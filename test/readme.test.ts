import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../src/errors.ts';
import { createProgram } from '../src/program.ts';
import { packageRoot } from './support/cli.ts';

const readme = readFileSync(new URL('README.md', packageRoot), 'utf8');
let program: Command;

beforeAll(async () => {
  const every = [
    'create',
    'import',
    'get',
    'list',
    'cancel',
    'login',
    'logout',
    'whoami',
    'sandbox',
    'imports',
  ];
  const open = () => Promise.reject(new Error('nothing is run here'));
  program = await createProgram(every, packageRoot, open, { data: () => undefined, note: () => undefined });
});

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

describe('the README', () => {
  it('names every command', () => {
    for (const command of program.commands) {
      const names =
        command.commands.length === 0
          ? [command.name()]
          : command.commands.map((sub) => `${command.name()} ${sub.name()}`);
      for (const name of names)
        expect([name, new RegExp(`\`${name}(?:\`| )`).test(readme)]).toEqual([name, true]);
    }
  });

  it('names every flag that means the same everywhere, and none that does not exist', () => {
    const flagsOf = (command: Command) => command.options.flatMap(({ long }) => long ?? []);
    for (const flag of flagsOf(program).filter((flag) => flag !== '--version')) {
      expect([flag, readme.includes(flag)]).toEqual([flag, true]);
    }
    const known = new Set([...commandsOf(program).flatMap(flagsOf), '--help']);
    const ofNpm = ['--ignore-scripts', '--full'];
    const named = [...readme.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
    expect(named.filter((flag) => !known.has(flag) && !ofNpm.includes(flag))).toEqual([]);
  });

  it('has the whole table of exit codes', () => {
    const [section = ''] = /^## Exit codes\n.*?(?=^## )/ms.exec(readme) ?? [];
    const rows = [...section.matchAll(/^\| ([\d, ]+) \| /gm)].flatMap(([, codes = '']) =>
      codes.split(', ').map(Number),
    );
    expect(rows.sort((left, right) => left - right)).toEqual(Object.values(exitCodes));
  });

  it('names the variables that the program reads', () => {
    const source = readFileSync(new URL('src/settings.ts', packageRoot), 'utf8');
    const read = [...source.matchAll(/MERCHANT_ORDERS_[A-Z_]+/g)].map(([name]) => name);
    expect(read.filter((name) => !readme.includes(name))).toEqual([]);
  });
});
