import { describe, expect, it } from 'vitest';
import { defaultBehaviour } from '../../../src/sandbox/behaviour/parse.ts';
import { namedBehaviours, packagedBehaviours, packagedFolder } from './named.ts';
import { renderReadme } from './readme.ts';
import { listSettings, missingValues, openPoints, valueAt } from './values.ts';

const named = namedBehaviours();
const packaged = packagedBehaviours();

describe('the behaviours', () => {
  it('in the package are six', () => {
    const names = packaged.map(({ name }) => name);
    expect(names).toEqual(['busy', 'default', 'forgetful', 'ietf-draft', 'strict', 'stripe-like']);
  });

  it('in the package and the tests together use every value of every setting', () => {
    const missing = openPoints().flatMap((setting) => {
      const used = named.map((settings) => valueAt(settings, setting.path));
      return missingValues(setting, used).map((value) => `${setting.path}: ${value}`);
    });
    expect(missing).toEqual([]);
  });

  it('all have a description, and those in the package different settings', () => {
    for (const { name, description } of named)
      expect([name, description]).toEqual([name, expect.stringMatching(/\w/)]);
    const contents = packaged.map(({ name, description, ...settings }) => JSON.stringify(settings));
    expect(new Set(contents).size).toBe(packaged.length);
  });

  it('include one called default, which changes nothing', () => {
    const { name, description, ...settings } = packaged.find((found) => found.name === 'default') ?? {};
    expect(settings).toEqual(defaultBehaviour);
  });
});

describe('the README of the behaviours', () => {
  it('matches the schema; npx vitest -u updates it', async () => {
    const path = new URL('README.md', packagedFolder).pathname;
    await expect(renderReadme(listSettings(), packaged)).toMatchFileSnapshot(path);
  });
});
