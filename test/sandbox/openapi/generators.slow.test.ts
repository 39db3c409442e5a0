import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import openapi from '../../../src/sandbox/openapi.json' with { type: 'json' };
import { packageRoot, temporaryDirectory } from '../../support/cli.ts';

const root = fileURLToPath(packageRoot);
const [newOrder] = openapi.components.schemas.NewOrder.examples;

/** A file with each example as the type of its schema, and orders that the types must not allow. */
function examples(): string {
  const schemas = Object.entries(openapi.components.schemas) as [string, { examples?: unknown[] }][];
  const declared = schemas.flatMap(([name, { examples = [] }]) =>
    examples.map((example, index) => declaration(`${name}${index}`, name, example)),
  );
  const wrong = [{ collectionMode: 'CASH' }, { total: 5 }, { items: undefined }, { customer: { phone: 5 } }];
  const refused = wrong.map(
    (fields, index) =>
      `// @ts-expect-error\n${declaration(`wrong${index}`, 'NewOrder', { ...newOrder, ...fields })}`,
  );
  return [`import type { components } from './types.js';`, ...declared, ...refused].join('\n');
}

function declaration(name: string, schema: string, value: unknown): string {
  return `export const ${name}: components['schemas']['${schema}'] = ${JSON.stringify(value)};`;
}

const generators = ['openapi-typescript@7.13.0', 'orval@7.13.2', '@faker-js/faker@10.6.0', 'msw@2.15.0'];
const config = `
const input = ${JSON.stringify(join(root, 'src/sandbox/openapi.json'))};
export default {
  client: { input, output: { target: 'client.ts', client: 'fetch', mock: true } },
  zod: { input, output: { target: 'zod.ts', client: 'zod' } },
};`;

/** A project with what the generators make of the document. */
function generate(): string {
  const folder = temporaryDirectory();
  const npm = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  execFileSync('npm', ['install', ...npm, ...generators], { stdio: 'pipe' });
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'orval.config.mjs'), config);
  const document = join(root, 'src/sandbox/openapi.json');
  const run = (name: string, ...args: string[]) =>
    execFileSync(join(folder, 'node_modules/.bin', name), args, { cwd: folder, stdio: 'pipe' });
  run('openapi-typescript', document, '--output', 'types.ts');
  run('orval');
  return folder;
}

function compile(folder: string, files: readonly string[], ...flags: string[]) {
  const common = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
  const { status, stdout } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    [...common, '--lib', 'es2023,dom', '--types', '', ...flags, ...files],
    { encoding: 'utf8', cwd: folder },
  );
  return [status, stdout];
}

it('gives types, a client with mocks and zod schemas that compile in strict mode', () => {
  const folder = generate();
  writeFileSync(join(folder, 'examples.ts'), examples());
  const exact = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  expect(compile(folder, ['examples.ts'], ...exact)).toEqual([0, '']);
  expect(examples().match(/: components/g)?.length).toBeGreaterThan(6);
  expect(compile(folder, ['client.ts', 'zod.ts'])).toEqual([0, '']);
  const schema = readFileSync(join(folder, 'zod.ts'), 'utf8');
  const [, fields = ''] = /createOrderBody = (.*?)\n\n/s.exec(schema) ?? [];
  for (const field of Object.keys(openapi.components.schemas.NewOrder.properties))
    expect(fields).toContain(`"${field}":`);
});
