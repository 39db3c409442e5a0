import { describe, expect, it } from 'vitest';
import { cancelledOrders } from './cancelled.ts';
import { changedFiles } from './changed-files.ts';
import { clocks } from './clocks.ts';
import { damagedLedgers } from './damaged-ledgers.ts';
import { editedRows } from './edited-rows.ts';
import { generations } from './generations.ts';
import { kills } from './kills.ts';
import { lostLedger } from './lost-ledger.ts';
import { oneRun } from './one-run.ts';
import { otherKeys } from './other-keys.ts';
import { reRuns } from './re-runs.ts';
import type { Sequences } from './sequence.ts';
import { services } from './services.ts';
import { openShop } from './shop.ts';
import { describeAs, type Row, readTable } from './table.ts';
import { tenMinutes } from './ten-minutes.ts';
import { twoRuns } from './two-runs.ts';

const groups: Record<string, Sequences> = {
  'One run': oneRun,
  'The same command again': reRuns,
  'Edited rows': editedRows,
  'Rejections and generations': generations,
  'The ten minutes': tenMinutes,
  'A lost ledger, another machine': lostLedger,
  'Two runs at once': twoRuns,
  'Other API keys': otherKeys,
  'Cancelled orders': cancelledOrders,
  Kills: kills,
  Clocks: clocks,
  'Services of other makes': services,
  'Changed files': changedFiles,
  'A ledger that cannot be used': damagedLedgers,
};
const table = readTable();

it('has a row for every sequence, and a sequence for every row', () => {
  const rows = [...table].map(([group, rows]) => [group, rows.map(({ name }) => name)]);
  expect(rows).toEqual(Object.entries(groups).map(([group, all]) => [group, Object.keys(all)]));
});

describe.each(Object.entries(groups))('%s', (group, sequences) => {
  const rows = new Map((table.get(group) ?? []).map((row) => [row.name, row]));
  it.each(Object.keys(sequences))('%s', async (name) => {
    const sequence = sequences[name];
    const row = rows.get(name);
    if (sequence === undefined || row === undefined) throw new Error(`there is no row "${name}"`);
    const { options, steps } = typeof sequence === 'function' ? { options: {}, steps: sequence } : sequence;
    const shop = await openShop(options);
    const { exitCode, errorCode, orders } = await steps(shop);
    const [, code = ''] = row.exit.split(' ');
    const actual: Omit<Row, 'name'> = {
      outcomes: describeAs(row.outcomes, orders),
      exit: `${exitCode}${code === '' ? '' : ` ${errorCode}`}`,
      orders: await shop.commits(),
    };
    expect({ ...actual, name }).toEqual(row);
    expect(await shop.hasOneBodyPerKey()).toBe(true);
  });
});
