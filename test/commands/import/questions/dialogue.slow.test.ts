import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

  it('leaves the answers before it alone after Ctrl-C at any question', async () => {
    for (let asked = 0; asked < keys.length; asked += 1) {
      const folder = folderWith(name);
      const { exitCode } = await folder.importWith([...keys.slice(0, asked), 'ctrl-c']);
      expect({ asked, exitCode, files: folder.files() }).toEqual({
        asked,
        exitCode: 130,
        files: [`${name}.csv`, ...(asked === 0 ? [] : [`${name}.map.json`])],
      });
      const { stdout } = await folder.run('mappings', '--json');
      expect(JSON.parse(stdout).mappings).toEqual([]);
    }
  });
});

describe.each(Object.keys(keysByFile))('off a terminal, the export %s', (name) => {
  it('is imported by the draft when its questions are answered', async () => {
    const folder = folderWith(name);
    const map = join(folder.cwd, 'draft.map.json');
    const drafted = await folder.run('import', folder.file, '--sandbox', '--write-map', map);
    expect({ exitCode: drafted.exitCode, stderr: drafted.stderr }).toMatchObject({ exitCode: 0 });
    const refused = await folder.run('import', folder.file, '--sandbox', '--yes', '--map', map);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('choose');
    writeFileSync(map, answerDraft(readFileSync(map, 'utf8')));
    const { exitCode, stderr } = await folder.run('import', folder.file, '--sandbox', '--yes', '--map', map);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(await created(folder)).toEqual(expectedOf(name));
  });
});

/** What a person writes in place of `? (choose) | A | B`: by the key of the question, else the likeliest choice. */
const draftAnswers: Record<string, string> = {
  Tarjeta: 'prepaid',
  Pendiente: 'leave_out',
  Preparado: 'deliver',
  QPay: 'prepaid',
  Дансаар: 'prepaid',
  'Хүлээгдэж буй': 'leave_out',
  PayPal: 'leave_out',
  Rechnung: 'leave_out',
  verpackt: 'deliver',
};

function answerDraft(text: string): string {
  const answered = text.replace(
    /"([^"]*)": "\? (?:\(choose\) \| )?([^"]*)"/g,
    (_, key: string, choices: string) => {
      const [first = ''] = choices.split(' | ');
      return `${JSON.stringify(key)}: ${JSON.stringify(draftAnswers[key] ?? first)}`;
    },
  );
  // What is left are the columns that are not read.
  const mapping = JSON.parse(answered.replace(/"\? (?:\(choose\) \| )?/g, '"'));
  // Days that lie after today, and no delivery dates.
  return JSON.stringify({
    ...mapping,
    ignore_anyway: mapping.ignore.filter((name: string) => name === 'Fecha'),
  });
}
