import type { Say, Text } from '../../src/advice/advice.ts';
import { createProgram } from '../../src/program.ts';
import { packageFiles } from '../support/cli.ts';

/** The help of `sandbox` is English. */
const commandsOfBothLanguages = [
  ...['create', 'import', 'get', 'list', 'today', 'cancel', 'status', 'settle', 'imports'],
  ...['login', 'logout', 'whoami', 'profiles', 'mappings', 'doctor', 'completion', 'help'],
];

/** What the help of the program and of these commands says, and how often. */
export async function helpOfBothLanguages(): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const record = (text: Text) => {
    const template = typeof text === 'string' ? text : text.template;
    found.set(template, (found.get(template) ?? 0) + 1);
    return String(text);
  };
  const say: Say = Object.assign(record, { pieces: () => [], language: 'mn' as const });
  const output = { data: () => undefined, note: () => undefined };
  const open = () => Promise.reject(new Error('nothing is run'));
  for (const words of [commandsOfBothLanguages, [...commandsOfBothLanguages, 'all']]) {
    const program = await createProgram(words, packageFiles, open, output, say);
    program.outputHelp();
    for (const command of program.commands) {
      if (!commandsOfBothLanguages.includes(command.name())) continue;
      command.outputHelp();
      for (const inner of command.commands) inner.outputHelp();
    }
  }
  return found;
}
