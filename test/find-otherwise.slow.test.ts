import { expect, it } from 'vitest';
import { startShop } from './support/shop.ts';
import { ctrlC, enter, type Step, typeAtTerminal } from './support/typing.ts';

it('an order that was read otherwise is shown at a terminal, and cancelled only by a yes', async () => {
  const { run, read, configDirectory } = await startShop();
  const flags = ['--phone', '99112233', '--item', 'TEA-001', '--collect', '25000'];
  await run('create', '--external-order-id', 'UB-1', ...flags);
  await run('create', '--external-order-id', 'UB-2', ...flags);
  const type = (args: string[], steps: Step[]) => typeAtTerminal(args, { configDirectory, steps });

  const shown = await type(['get', 'ord 2'], []);
  expect(shown.screen).toMatch(/^Read "ord 2" as ORD-\d{4}-000002 \(99112233, 25,000 ₮\)\.$/m);
  expect(shown.screen).toMatch(/^own id +UB-2$/m);
  const several = await type(['get', '99112233'], [['2 orders have the phone 99112233. Which one?', enter]]);
  expect([several.exitCode, several.remaining]).toEqual([3, []]);

  const cancel = ['cancel', '2', '--reason', 'out of stock', '--yes'];
  const question = '000002, 99112233, 25,000 ₮?';
  for (const [keys, exitCode] of [
    [enter, 2],
    [ctrlC, 130],
  ] as const) {
    expect(await type(cancel, [[question, keys]])).toMatchObject({ exitCode, remaining: [] });
    expect((await read('UB-2')).status).toBe('CONFIRMED');
  }
  expect(await type(cancel, [[question, `y${enter}`]])).toMatchObject({ exitCode: 0, remaining: [] });
  expect([(await read('UB-1')).status, (await read('UB-2')).status]).toEqual(['CONFIRMED', 'CANCELLED']);
});
