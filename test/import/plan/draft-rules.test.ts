import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { planFile } from '../../support/plan-file.ts';
import { outcomes } from '../plan-rows.ts';
import { fixture } from '../tables.ts';

/** What `--write-map` drafts for a file that a mapping and flags describe already. */
async function draftOf(path: string, map: object, flags: readonly string[]) {
  const mapPath = join(temporaryDirectory(), 'map.json');
  writeFileSync(mapPath, JSON.stringify(map));
  const { stdout, exitCode } = await runCli(['import', path, '--map', mapPath, ...flags, '--write-map', '-']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

describe('what flags and rules of the given mapping decide', () => {
  it('is not asked again, and the draft plans the same orders', async () => {
    const path = fixture('import/unseen/facebook-shop.csv');
    const readings = JSON.parse(readFileSync(path.replace('.csv', '.plan.json'), 'utf8'));
    const { flags, map } = readings.find((reading: { map?: object }) => reading.map !== undefined);
    const draft = await draftOf(path, map, flags);
    expect(draft).toMatchObject({
      ...map,
      leave_out: {
        fulfilled: [{ Төлөв: 'Хүргэлтэнд' }, { Төлөв: 'Хүргэсэн' }],
        cancelled: [{ Төлөв: 'Цуцалсан' }],
      },
      unpaid: 'collect',
      columns: { ...map.columns, 'customer.name': 'Facebook нэр' },
      ignore: ['? (choose) | Огноо'],
    });
    expect(draft.values).toBeUndefined();
    const { total: _, 'customer.name': name, ...columns } = draft.columns;
    const { orders, problems } = await planFile(path, [], {
      map: { ...draft, columns, ignore: ['Огноо', name, 'Нийт үнэ'] },
    });
    expect(problems).toEqual([]);
    expect(orders).toEqual((await planFile(path, flags, { map })).orders);
  });

  const file = (...values: string[]) => {
    const path = join(temporaryDirectory(), 'orders.csv');
    const rows = values.map((value, index) => `A-${index},9911224${index},TEA-1,8900,${value}`);
    writeFileSync(path, `${['externalOrderId,Phone,SKU,Total,Status', ...rows].join('\n')}\n`);
    return path;
  };

  it.each<[string, object, string[], object]>([
    ['--leave-out', {}, ['--leave-out', 'Status=zz'], { zz: 'leave_out', yy: expect.stringMatching(/^\? /) }],
    ['paid', { paid: { Status: 'zz' } }, [], { zz: 'prepaid', yy: expect.stringMatching(/^\? /) }],
    ['open', { open: { Status: ['zz'] } }, [], { zz: 'deliver', yy: expect.stringMatching(/^\? /) }],
    [
      'paid beside on_delivery',
      { paid: { Status: 'zz' }, on_delivery: { Status: 'yy' } },
      [],
      { zz: 'prepaid', yy: 'collect', xx: expect.stringMatching(/^\? /) },
    ],
  ])('is settled among the values of its column: %s', async (_, map, flags, expected) => {
    const draft = await draftOf(file(...Object.keys(expected)), map, flags);
    expect(draft.values.Status).toEqual(expected);
  });

  it('leaves nothing to ask where rules decide about every value', async () => {
    const path = file('zz', 'yy');
    const draft = await draftOf(path, { paid: { Status: 'zz' }, on_delivery: { Status: 'yy' } }, []);
    expect(draft.values).toEqual({ Status: { zz: 'prepaid', yy: 'collect' } });
    expect(outcomes(await planFile(path, [], { map: draft }))).toEqual(['NONE', 'COLLECT 8900']);
  });
});
