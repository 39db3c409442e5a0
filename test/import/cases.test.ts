import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { planFile } from '../support/plan-file.ts';
import { headerErrors, linesOf, outcomes } from './plan-rows.ts';
import { fixture } from './tables.ts';

const files = readdirSync(fixture('import/cases')).filter((name) => name.endsWith('.csv'));

/**
 * Columns whose names begin with `_` are not read. `_case` says what the row shows, `_outcome` what a person expects
 * of its order, `_ FLAGS` what else with all these flags, and `_lines` which lines.
 */
test.each(files)('%s has what each of its rows says', async (name) => {
  const path = fixture(`import/cases/${name}`);
  const rows: Record<string, string>[] = parse(readFileSync(path), { columns: true });
  const readings = JSON.parse(readFileSync(path.replace('.csv', '.plan.json'), 'utf8'));
  for (const { flags, map } of readings) {
    const plan = await planFile(path, flags, { map });
    expect(headerErrors(plan)).toEqual([]);
    const found = outcomes(plan);
    const expected = plan.orders.map(({ row }) => {
      const { _case, _outcome, [`_ ${flags.join(' ')}`]: outcome, _lines } = rows[row - 2] ?? {};
      return { _case, outcome: outcome || _outcome, _lines };
    });
    const actual = expected.map(({ _case, _lines }, index) => {
      const lines = _lines && linesOf(plan.orders[index]?.order);
      return { _case, outcome: found[index], _lines: lines };
    });
    expect(actual).toEqual(expected);
    expect(expected).toHaveLength(rows.filter(({ _outcome }) => _outcome !== '').length);
  }
});
