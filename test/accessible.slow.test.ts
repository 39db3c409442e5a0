import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from './support/cli.ts';
import { startShop } from './support/shop.ts';
import { ctrlC, enter, type Step } from './support/typing.ts';

/** What draws again: all controls but the ends of lines, which the terminal writes as CR LF. */
const redraws = /[^\P{Cc}\n]/gu;

async function startPlainShop() {
  const shop = await startShop('--any-sku');
  const create = (id: string) =>
    shop.run('create', '--external-order-id', id, '--phone', '99112233', '--item', 'TEA-001', '--prepaid');
  const type = async (args: string[], steps: readonly Step[]) => {
    const { written, ...ended } = await shop.type(args, steps, 80, { ACCESSIBLE: '1' });
    return { ...ended, redraws: written.replaceAll('\r\n', '\n').match(redraws) ?? [] };
  };
  return { ...shop, create, type };
}

const done = { exitCode: 0, remaining: [], redraws: [] };

describe('with ACCESSIBLE=1 nothing is drawn again at a terminal, and choices have numbers', () => {
  it('create', async () => {
    const { type, read } = await startPlainShop();
    const { screen, ...ended } = await type(
      ['create'],
      [
        ['Phone number', `none${enter}`],
        ['Phone number', `99112233${enter}`],
        ['item 1', `TEA-001 x 2${enter}`],
        ['item 2', enter],
        ['city', enter],
        ['district', enter],
        ['street', enter],
        ['Note', enter],
        ['collect money?', `no${enter}`],
        ['Total', enter],
        ['Delivery date', enter],
        ['Your own order ID', `UB-1${enter}`],
        ['1 item, prepaid, no address?', `n${enter}`],
        ['1. the phone number', `99${enter}`],
        ['Please type a number', `1${enter}`],
        ['Phone number', `88112233${enter}`],
        ['create for 88112233, 1 item, prepaid, no address? Type y or n', `y${enter}`],
      ],
    );
    expect(ended).toEqual(done);
    expect(screen).toContain('Created ORD-');
    expect(await read('UB-1')).toMatchObject({ customer: { phone: '88112233' }, items: [{ quantity: 2 }] });
  });

  it('import', async () => {
    const { type, orders } = await startPlainShop();
    const file = join(temporaryDirectory(), 'orders.csv');
    const rows = Array.from({ length: 300 }, (_, index) => `UB-${index},99112233,TEA-001,NONE`);
    writeFileSync(file, ['externalOrderId,customer.phone,items[].sku,collectionMode', ...rows].join('\n'));
    const imported = await type(['import', file], [['create 300 orders?', `y${enter}`]]);
    expect(imported).toMatchObject(done);
    expect(imported.screen).toMatch(/^created +300$/m);
    expect(await orders()).toHaveLength(300);
  });

  it('Ctrl-C at a choice', async () => {
    const { type, create } = await startPlainShop();
    for (const id of ['UB-1', 'UB-2']) await create(id);
    const { screen, exitCode } = await type(
      ['get'],
      [
        ['Order to', enter],
        ['Which one?', ctrlC],
      ],
    );
    expect(exitCode).toBe(130);
    expect(screen).toContain('Stopped. Nothing was sent.');
  });
});
