import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultBehaviour } from '../../../src/sandbox/behaviour/parse.ts';
import { listSettings } from '../../../src/sandbox/behaviour/settings.ts';
import { behaviourFolder, namedBehaviours } from './named.ts';
import { renderReadme } from './readme.ts';
import { missingValues, openPoints } from './values.ts';

const named = namedBehaviours();

function valueAt(settings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], settings);
}

describe('the behaviours that come with the package', () => {
  it('together have every value of every setting', () => {
    const missing = openPoints().flatMap((setting) => {
      const used = named.map((settings) => valueAt(settings, setting.path));
      return missingValues(setting, used).map((value) => `${setting.path}: ${value}`);
    });
    expect(missing).toEqual([]);
  });

  it('are named by their files and described, each unlike the others', () => {
    expect(named.length).toBeGreaterThan(8);
    for (const { name } of named) {
      const settings = JSON.parse(readFileSync(new URL(`${name}.json`, behaviourFolder), 'utf8'));
      expect([name, typeof settings.description, settings.name]).toEqual([name, 'string', undefined]);
    }
    const contents = named.map(({ name, description, ...settings }) => JSON.stringify(settings));
    expect(new Set(contents).size).toBe(named.length);
  });

  it('have one called default, which changes nothing', () => {
    const { name, description, ...settings } = named.find((found) => found.name === 'default') ?? {};
    expect(settings).toEqual(defaultBehaviour);
  });
});

describe('the README of the behaviours', () => {
  it('is what the schema says; npx vitest -u writes it anew', async () => {
    const path = new URL('README.md', behaviourFolder).pathname;
    await expect(renderReadme(listSettings(), named)).toMatchFileSnapshot(path);
  });
});
