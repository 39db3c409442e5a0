import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { leftOutReasons } from '../../src/import/choices.ts';
import { shape } from '../../src/import/mapping/language.ts';
import { parseMappingFile } from '../../src/import/mapping/mapping-file.ts';
import { packageRoot } from '../support/cli.ts';

const page = readFileSync(new URL('docs/import.md', packageRoot), 'utf8');
const blocks = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = '']) => json);
/** What a row of a table begins with: an entry of a mapping file, or of its `columns`. */
const entries = [...page.matchAll(/^\| `("(?:[^`]+))` \|/gm)].map(([, entry = '']) => {
  const json = `{${entry.replaceAll('\\|', '|')}}`;
  const [key = ''] = Object.keys(JSON.parse(json));
  return key in shape.shape ? json : `{"columns":${json}}`;
});
const examples = [...blocks, ...entries];
const shops = new URL('src/import/mapping/shops/', packageRoot);

/** The keys under which stand conditions, whose keys are headers of the shop. */
const rules = new Set<string>([
  ...['to_deliver', 'partly_fulfilled', 'quantities_not_final', 'amount_unclear', 'summary_row_when'],
  ...['pickup', 'paid', 'partly_paid', 'open', 'on_delivery', 'when', ...leftOutReasons],
]);

/** The keys of the objects in a preset that name no columns and no fields. */
function keysOf(value: unknown, isCondition = false): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => keysOf(inner, isCondition));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(!isCondition && /^[a-z_]+$/.test(key) ? [key] : []),
    ...keysOf(inner, !isCondition && rules.has(key)),
  ]);
}

/** The names of the properties in a JSON schema. */
function propertiesIn(value: unknown, isNames = false): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(isNames ? [key] : []),
    ...propertiesIn(inner, !isNames && key === 'properties'),
  ]);
}

describe('the mapping files in docs/import.md', () => {
  it.each(examples.map((json, index) => [`example ${index + 1}`, json]))('%s', (_, json) => {
    expect(parseMappingFile(json, 'docs/import.md')).toBeTypeOf('object');
  });

  const shown = new Set(examples.flatMap((json) => keysOf(JSON.parse(json))));

  it('show every key of a mapping file, at any depth', () => {
    const keys = propertiesIn(z.toJSONSchema(shape, { unrepresentable: 'any', io: 'input' }));
    expect(keys).toEqual(expect.arrayContaining(['columns', 'strip_prefix', 'above_zero', 'hidden_rows']));
    const all = examples.flatMap((json) => [...json.matchAll(/"(\w+)":/g)].map(([, key = '']) => key));
    expect(keys.filter((key) => !all.includes(key))).toEqual([]);
  });

  it('show every key that a preset uses', () => {
    const ofPresets = ['title', 'sources', 'signature', 'explains', 'all', 'any', 'none'];
    const known = new Set<string>([...ofPresets, ...leftOutReasons, 'total']);
    const used = readdirSync(shops)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => keysOf(JSON.parse(readFileSync(new URL(name, shops), 'utf8'))));
    expect([...new Set(used)].filter((key) => !shown.has(key) && !known.has(key))).toEqual([]);
  });
});

it('says in docs/import.md what to do about every problem of a file', () => {
  const source = readFileSync(new URL('src/import/problem.ts', packageRoot), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
