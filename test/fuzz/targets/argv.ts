import type { Command } from 'commander';
import fc, { type Arbitrary } from 'fast-check';
import { createProgram } from '../../../src/program.ts';
import { packageFiles } from '../../support/cli.ts';
import type { FuzzCase, Target } from '../case.ts';
import { oddText } from '../text.ts';
import words from '../words.json' with { type: 'json' };

interface CommandWords {
  path: string[];
  flags: { name: string; isValued: boolean; choices: readonly string[] }[];
  maxArguments: number;
}

/** All commands and flags of the live program. */
async function readCommands(): Promise<CommandWords[]> {
  const output = { data: () => undefined, note: () => undefined };
  const none = async () => Promise.reject(new Error('nothing is run'));
  const names = (await createProgram([], packageFiles, none, output)).commands.map((command) =>
    command.name(),
  );
  const program = await createProgram(names, packageFiles, none, output);
  const words = (command: Command, path: string[]): CommandWords[] => {
    const flags = [...command.options, ...program.options].map((option) => ({
      name: option.long ?? option.short ?? '',
      isValued: option.required || option.optional,
      choices: option.argChoices ?? [],
    }));
    const maxArguments =
      command.registeredArguments.length + (command.registeredArguments.length > 0 ? 2 : 0);
    const inner = command.commands.flatMap((child) => words(child, [...path, child.name()]));
    return [{ path, flags, maxArguments }, ...inner];
  };
  return words(program, []);
}

const commands = await readCommands();
const good = words.values;
/** A program that is run as root could write anywhere. */
const isInside = (text: string) => !/[/\\]/.test(text) || text.startsWith('{url}');
/** They would wait for longer than a run may take. */
const keepsWaiting = new Set(['--timeout', '--max-wait', '--max-outage', '--latency', '--rate']);

function flagWords(flag: CommandWords['flags'][number], odd: Arbitrary<string>): Arbitrary<string[]> {
  if (!flag.isValued) return fc.constant([flag.name]);
  const choice = flag.choices.length > 0 ? flag.choices : good;
  const value = keepsWaiting.has(flag.name)
    ? fc.constantFrom('1', '0', 'x', '-1')
    : fc.oneof(fc.constantFrom(...choice), odd);
  return fc
    .tuple(value, fc.nat(5))
    .map(([text, way]) => (way === 0 ? [`${flag.name}=${text}`] : [flag.name, text]));
}

/** Every command and flag, with odd values, combined. */
export const argv: Target = {
  name: 'argv',
  cases: (max) => {
    const odd = oddText(max / 10).filter(isInside);
    return fc
      .constantFrom(...commands)
      .chain(({ path, flags, maxArguments }) =>
        fc.record({
          path: fc.constant(path),
          flags: fc.array(
            fc.constantFrom(...flags).chain((flag) => flagWords(flag, odd)),
            { maxLength: 6 },
          ),
          others: fc.array(fc.oneof(fc.constantFrom(...good), odd), { maxLength: maxArguments }),
          isMixed: fc.nat(9),
          draw: fc.nat(11),
          stdin: fc.constantFrom('', 'mk_live_Other\n', '{}'),
        }),
      )
      .map(({ path, flags, others, isMixed, draw, stdin }): FuzzCase => {
        const rest = isMixed < 3 ? [...others, ...flags.flat()] : [...flags.flat(), ...others];
        const words = isMixed === 0 ? [...rest, ...path] : [...path, ...rest];
        return {
          args: words,
          stdin: Buffer.from(stdin),
          files: {
            'orders.csv': Buffer.from(
              'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-1,99112233,TEA-1,NONE\n',
            ),
            'order.json': Buffer.from(
              '{"externalOrderId":"UB-1","customer":{"phone":"99112233"},"items":[{"sku":"TEA-1"}],"collectionMode":"NONE"}',
            ),
            'map.json': Buffer.from('{}'),
          },
          isSpawned: draw === 0,
          // The sandbox serves until it is stopped.
          ...(path.includes('start') ? { interruptAfterMilliseconds: 700 } : {}),
        };
      });
  },
};
