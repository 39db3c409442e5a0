import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/cli.ts';
import { startShop } from '../support/shop.ts';
import { ctrlC, enter, type Step } from '../support/typing.ts';

type Shop = Awaited<ReturnType<typeof startShop>>;

/** The terminal shows its cursor again, when it was hidden. */
const hidesCursor = '\u001b[?25l';
const showsCursor = '\u001b[?25h';

/** Ctrl-C at each question, after the answers to those before it. */
async function leaveAtEach(shop: Shop, args: string[], steps: readonly Step[]) {
  for (const [count, [question]] of steps.entries()) {
    const { exitCode, screen, written } = await shop.type(args, [
      ...steps.slice(0, count),
      [question, ctrlC],
    ]);
    expect({ question, exitCode, screen }).toEqual({
      question,
      exitCode: 130,
      screen: expect.stringMatching(/\nStopped\. Nothing was (?:sent|stored|cancelled)\.\n/),
    });
    expect(written.lastIndexOf(showsCursor)).toBeGreaterThanOrEqual(written.lastIndexOf(hidesCursor));
  }
}

describe('Ctrl-C at any question ends with a clean sentence, and nothing is sent', () => {
  it('of login', async () => {
    const shop = await startShop();
    await leaveAtEach(
      shop,
      ['login', '--profile', 'other'],
      [
        ['Base URL', `${shop.baseUrl}${enter}`],
        ['API key', `wrong${enter}`],
        ['API key', ''],
      ],
    );
    expect((await shop.run('profiles', '--columns', 'name', '--no-header')).stdout).toBe('default\n');
  });

  it('of cancel and get', async () => {
    const shop = await startShop();
    for (const id of ['UB-1', 'UB-2']) {
      await shop.run(
        'create',
        '--external-order-id',
        id,
        '--phone',
        '99112233',
        '--item',
        'TEA-001',
        '--prepaid',
      );
    }
    const choose: Step[] = [
      ['Order to', `99112233${enter}`],
      // Nothing is preselected: Enter alone keeps the question.
      ['Which one?', `\u001b[B${enter}`],
    ];
    await leaveAtEach(shop, ['get'], choose);
    await leaveAtEach(
      shop,
      ['cancel'],
      [...choose, ['Reason', `out of stock${enter}`], ['SANDBOX: cancel', `y${enter}`]],
    );
    expect([(await shop.read('UB-1')).status, (await shop.read('UB-2')).status]).toEqual([
      'CONFIRMED',
      'CONFIRMED',
    ]);
  });

  it('of import', async () => {
    const shop = await startShop('--any-sku');
    const file = join(temporaryDirectory(), 'orders.csv');
    writeFileSync(file, 'Order no,Mobile,Code,Pay\nUB-1,99112233,TEA-001,12000\n');
    await leaveAtEach(shop, ['import', file], [['?', enter]]);
    writeFileSync(
      file,
      'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-1,99112233,TEA-001,NONE\n',
    );
    await leaveAtEach(shop, ['import', file], [['create 1 order?', '']]);
    expect(await shop.orders()).toEqual([]);
  });
});
