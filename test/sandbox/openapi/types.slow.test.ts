import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
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

it('gives types by openapi-typescript, with which its examples compile in strict mode', () => {
  const folder = temporaryDirectory();
  const npm = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  execFileSync('npm', ['install', ...npm, 'openapi-typescript@7.13.0'], { stdio: 'pipe' });
  const generator = join(folder, 'node_modules/.bin/openapi-typescript');
  execFileSync(generator, [join(root, 'src/sandbox/openapi.json'), '--output', join(folder, 'types.ts')], {
    stdio: 'pipe',
  });
  writeFileSync(join(folder, 'examples.ts'), examples());
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const { status, stdout } = spawnSync(
    join(root, 'node_modules/.bin/tsc'),
    ['--noEmit', ...strict, '--module', 'nodenext', join(folder, 'examples.ts')],
    { encoding: 'utf8', cwd: folder },
  );
  expect([status, stdout]).toEqual([0, '']);
  expect(examples().match(/: components/g)?.length).toBeGreaterThan(6);
});
