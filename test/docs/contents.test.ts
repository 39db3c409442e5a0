import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/errors.ts';
import { createProgram } from '../../src/program.ts';
import { packageFiles, packageRoot } from '../support/cli.ts';

const read = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8');
const readme = read('README.md');
const docs = readdirSync(new URL('docs', packageRoot), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const everything = [readme, ...docs.map((name) => read(`docs/${name}`))].join('\n');
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
    'profiles',
    'sandbox',
    'status',
    'imports',
    'all',
  ];
  const open = () => Promise.reject(new Error('no command is run here'));
  program = await createProgram(every, packageFiles, open, { data: () => undefined, note: () => undefined });
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

  it('names every global flag, and no flag that does not exist', () => {
    const flagsOf = (command: Command) => command.options.flatMap(({ long }) => long ?? []);
    for (const flag of flagsOf(program).filter((flag) => flag !== '--version')) {
      expect([flag, everything.includes(flag)]).toEqual([flag, true]);
    }
    const known = new Set([...commandsOf(program).flatMap(flagsOf), '--help']);
    const otherFlags = [
      '--ignore-scripts',
      '--config',
      '--sbom-format',
      '--package-lock-only',
      '--no-save',
      '--array',
      '--requeue',
      '--ignore-missing',
      '--max-semi-space-size',
      '--experimental-vm-modules',
    ];
    const withoutScripts = everything.replaceAll(/npm run \S+ -- [^`#\n]*/g, '');
    const named = [...withoutScripts.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
    expect(named.filter((flag) => !known.has(flag) && !otherFlags.includes(flag))).toEqual([]);
  });

  it('has a program behind it that describes every command, argument and flag', () => {
    for (const command of commandsOf(program)) {
      const parts = [
        command.description(),
        ...command.registeredArguments.map(({ description }) => description),
      ];
      const flags = command.options.map(({ description }) => description);
      expect([command.name(), [...parts, ...flags].includes('')]).toEqual([command.name(), false]);
    }
  });

  it('lists all exit codes', () => {
    const [section = ''] = /^## Exit codes\n.*?(?=^## )/ms.exec(readme) ?? [];
    const rows = [...section.matchAll(/^\| ([\d, ]+) \| /gm)].flatMap(([, codes = '']) =>
      codes.split(', ').map(Number),
    );
    expect(rows.sort((left, right) => left - right)).toEqual(Object.values(exitCodes));
  });

  it('is short, and links only to pages and headings that exist', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(251);
    for (const file of ['README.md', ...docs.map((name) => `docs/${name}`)]) {
      const page = read(file);
      for (const [, target = ''] of page.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [path = '', heading] = target.split('#');
        const url = new URL(path, new URL(file, packageRoot));
        expect([target, existsSync(url)]).toEqual([target, true]);
        if (heading === undefined || path.endsWith('/')) continue;
        const headings = [...readFileSync(url, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
          text
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-'),
        );
        expect([target, headings.includes(heading)]).toEqual([target, true]);
      }
    }
  });

  it('names the variables that the program reads', () => {
    const named = [...read('src/settings.ts').matchAll(/MERCHANT_ORDERS_[A-Z_]+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !everything.includes(name))).toEqual([]);
  });
});
