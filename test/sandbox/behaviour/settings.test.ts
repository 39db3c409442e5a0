import { describe, expect, it } from 'vitest';
import { settingsOf } from './case.ts';
import { cases } from './cases.ts';
import { serve } from './serve.ts';
import { missingValues, openPoints } from './values.ts';

describe('every value of every setting', () => {
  it.each(cases.map((shown) => [shown.setting, JSON.stringify(shown.value), shown] as const))(
    '%s: %s',
    async (_setting, _value, shown) => {
      await shown.shows(await serve(settingsOf(shown)));
    },
  );

  it('has its case here', () => {
    const settings = openPoints();
    const missing = settings.flatMap((setting) => {
      const used = cases.filter((shown) => shown.setting === setting.path).map(({ value }) => value);
      return missingValues(setting, used).map((value) => `${setting.path}: ${value}`);
    });
    expect(missing).toEqual([]);
    const known = new Set(settings.map(({ path }) => path));
    expect(cases.filter(({ setting }) => !known.has(setting))).toEqual([]);
    expect(settings.length).toBeGreaterThan(50);
  });
});
