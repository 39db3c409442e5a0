import { describe, expect, it } from 'vitest';
import { settingsOf } from './case.ts';
import { cases } from './cases.ts';
import { serve } from './serve.ts';
import { missingValues, openPoints } from './values.ts';

describe('every value of every setting', () => {
  it.each(
    cases.map(
      (settingCase) => [settingCase.setting, JSON.stringify(settingCase.value), settingCase] as const,
    ),
  )('%s: %s', async (_setting, _value, settingCase) => {
    await settingCase.check(await serve(settingsOf(settingCase)));
  });

  it('has a case', () => {
    const settings = openPoints();
    const missing = settings.flatMap((setting) => {
      const used = cases
        .filter((settingCase) => settingCase.setting === setting.path)
        .map(({ value }) => value);
      return missingValues(setting, used).map((value) => `${setting.path}: ${value}`);
    });
    expect(missing).toEqual([]);
    const known = new Set(settings.map(({ path }) => path));
    expect(cases.filter(({ setting }) => !known.has(setting))).toEqual([]);
    expect(settings.length).toBeGreaterThan(25);
  });
});
