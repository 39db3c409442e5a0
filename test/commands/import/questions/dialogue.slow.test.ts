import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../import/tables.ts';
import { temporaryDirectory } from '../../../support/cli.ts';
import { runProgram } from '../../../support/program.ts';
import { keysByFile, ordersOf, withoutService } from './mappings.ts';
import { type Keys, runAtTerminal } from './terminal.ts';

function folderWith(name: string) {
  const cwd = temporaryDirectory();
  const configDirectory = join(temporaryDirectory(), 'configuration');
  mkdirSync(configDirectory, { mode: 0o700 });
  copyFileSync(fixture(`mappings/${name}.csv`), join(cwd, `${name}.csv`));
  const file = join(cwd, `${name}.csv`);
  return {
    cwd,
    configDirectory,
    file,
    files: () => readdirSync(cwd).sort(),
    importWith: (answers: readonly Keys[], ...flags: string[]) =>
      runAtTerminal(['import', file, '--sandbox', ...flags], { configDirectory, cwd, answers }),
    run: (...args: string[]) => runProgram(args, { configDirectory }),
  };
}

type Folder = ReturnType<typeof folderWith>;

/** The orders of the sandbox, by their own IDs. */
async function created({ run }: Folder) {
  const { stdout } = await run('list', '--all', '--format', 'ndjson', '--sandbox');
  const orders = stdout
    .trimEnd()
    .split('\n')
    .map((line) => withoutService(JSON.parse(line)));
  const idOf = (order: Record<string, unknown>) => String(order.externalOrderId);
  return orders.toSorted((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
}

const expectedOf = (name: string) => ordersOf(name).flatMap(({ order }) => order ?? []);

describe.each(Object.entries(keysByFile))('at a terminal of 80 columns, the export %s', (name, keys) => {
  it('is imported as a person reads it, and without a question the next time', async () => {
    const folder = folderWith(name);
    const { exitCode, frames, screen } = await folder.importWith([...keys, 'y']);
    expect({ exitCode, screen }).toMatchObject({ exitCode: 0 });
    expect(frames).toHaveLength(keys.length + 1);
    expect(keys.length).toBeLessThanOrEqual(8);
    expect(await created(folder)).toEqual(expectedOf(name));
    // No line of a question is wider than the screen, where it would wrap and be drawn wrong.
    expect(frames.slice(0, -1).flatMap((lines) => lines.filter((line) => line.length > 80))).toEqual([]);
    const again = await folder.importWith([]);
    expect({ exitCode: again.exitCode, frames: again.frames }).toEqual({ exitCode: 0, frames: [] });
  });
});
