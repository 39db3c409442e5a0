import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { packageRoot, temporaryDirectory } from '../support/cli.ts';

/** The files that `npm run lint` would report as parts of a cycle of imports. */
function filesInCycle(files: Record<string, string>): string[] {
  const folder = temporaryDirectory();
  const { linter } = JSON.parse(readFileSync(new URL('biome.json', packageRoot), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ linter }));
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source);
  const biome = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'));
  const args = [biome, 'lint', '--only=suspicious/noImportCycles', '--reporter=json'];
  const { stdout } = spawnSync(execPath, args, { cwd: folder, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] };
  return [...new Set(diagnostics.map(({ location }) => location.path))].sort();
}

it('a cycle of files is an error of the linter, also through a type and a lazy import', () => {
  const files = {
    'program.ts': "export const load = () => import('./command.ts');\n",
    'command.ts':
      "import type { Context } from './context.ts';\nexport type Run = (context: Context) => void;\n",
    'context.ts': "import { load } from './program.ts';\nexport type Context = typeof load;\n",
  };
  expect(filesInCycle(files)).toEqual(['command.ts', 'context.ts', 'program.ts']);
  expect(filesInCycle({ ...files, 'context.ts': 'export type Context = 0;\n' })).toEqual([]);
});
