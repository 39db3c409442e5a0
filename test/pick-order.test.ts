import { describe, expect, it } from 'vitest';
import type { Answering } from './support/cli.ts';
import { startService } from './support/service.ts';

const question = (what: string) => `Order ${what} (phone, number or your own ID; Enter lists the newest)`;

async function startWithOrders() {
  const { cli, sandbox } = await startService();
  for (const [id, phone] of [
    ['UB-1', '99112233'],
    ['UB-2', '88112233'],
    ['UB-3', '99112233'],
  ] as const) {
    const flags = ['--external-order-id', id, '--phone', phone, '--item', 'TEA-1', '--collect', '45000'];
    await cli(['create', ...flags]);
  }
  const { stdout } = await cli(['list', '--json']);
  const orders = JSON.parse(stdout).orders as { id: string; externalOrderId: string }[];
  const idOf = (externalOrderId: string) =>
    orders.find((order) => order.externalOrderId === externalOrderId)?.id ?? '';
  return { cli, sandbox, idOf };
}

describe('an order that was not named', () => {
  it('is chosen among those of a phone, which may be written in another way', async () => {
    const { cli, idOf } = await startWithOrders();
    const { asked, stdout, exitCode } = await cli(
      ['get', '--columns', 'externalOrderId', '--format', 'tsv', '--no-header'],
      {
        answers: ['+976 9911-2233', idOf('UB-1')],
      },
    );
    expect(asked).toEqual([question('to show'), 'Which one?']);
    expect([stdout.trim(), exitCode]).toEqual(['UB-1', 0]);
  });

  it('is told from others by the name and the goods', async () => {
    const { cli } = await startWithOrders();
    const flags = ['--external-order-id', 'UB-4', '--phone', '99112233', '--prepaid', '--item', 'TEA-1 x 2'];
    await cli(['create', ...flags, '--item', 'sku=TEA-1,name=Tea', '--set', 'customer.name=Б.Болд']);
    let described: unknown[] = [];
    const pick: Answering = ({ choices }) => {
      described = choices.map(({ description }) => description);
      return { leave: true };
    };
    for (const command of ['get', 'cancel']) {
      await cli([command], { answers: ['99112233', pick] });
      expect(described).toEqual(['Б.Болд: 2 × TEA-1, ? × TEA-1 Tea', '? × TEA-1', '? × TEA-1', undefined]);
    }
  });

  it('is named by its ID', async () => {
    const { cli } = await startWithOrders();
    const { asked, stdout } = await cli(
      ['get', '--columns', 'externalOrderId', '--format', 'tsv', '--no-header'],
      {
        answers: ['UB-3'],
      },
    );
    expect([asked, stdout.trim()]).toEqual([[question('to show')], 'UB-3']);
  });

  it('is the only one of a phone, and is shown before it is cancelled', async () => {
    const { cli } = await startWithOrders();
    const { asked, stderr, exitCode } = await cli(['cancel', '--reason', 'out of stock'], {
      answers: ['88112233', true],
    });
    expect(asked).toEqual([
      question('to cancel'),
      expect.stringMatching(/^SANDBOX: cancel ORD-\d+-000002, 88112233, 45,000 ₮\?$/),
    ]);
    expect(stderr).toMatch(/^own id +UB-2$/m);
    expect(exitCode).toBe(0);
    expect(JSON.parse((await cli(['get', 'UB-2', '--json'])).stdout).status).toBe('CANCELLED');
  });

  it('is asked for again when there is none, or none of those shown is meant', async () => {
    const { cli } = await startWithOrders();
    const { asked, stderr, stdout, exitCode } = await cli(['get', '--columns', 'externalOrderId'], {
      answers: ['95112233', '', '', 'UB 9', 'ord 3'],
    });
    const ask = question('to show');
    expect(asked).toEqual([ask, ask, 'Which one?', ask, ask]);
    const help = (text: string) =>
      `The order was not found. Type the customer's phone, or press Enter for the newest orders. To search, press Ctrl-C and run: merchant-orders list --search ${text} `;
    const said = `${help('95112233')}${help('TEXT')}${help("'UB 9'")}Read "ord 3" as ORD-`;
    expect(stderr.replace(/\s+/g, ' ')).toMatch(said);
    expect([stdout.includes('UB-3'), exitCode]).toEqual([true, 0]);
    const left = await cli(['get'], { answers: ['95112233', { leave: true }] });
    expect([left.stdout, left.exitCode]).toEqual(['', 130]);
  });

  it('is asked about before it is cancelled, also with --yes, when it was read otherwise', async () => {
    const { cli } = await startWithOrders();
    const args = ['cancel', '--reason', 'out of stock', '--yes'];
    const { asked, exitCode } = await cli(args, { answers: ['3', false] });
    expect([asked[1], exitCode]).toEqual([expect.stringMatching(/^SANDBOX: cancel ORD/), 2]);
    const ofPhone = await cli(args, { answers: ['88112233', false] });
    expect([ofPhone.asked[1], ofPhone.exitCode]).toEqual([expect.stringMatching(/^SANDBOX: cancel ORD/), 2]);
    expect((await cli(args, { answers: ['UB-3'] })).exitCode).toBe(0);
  });

  it.each([['get'], ['cancel', '--reason', 'no', '--yes']])(
    'is an error without a terminal: %s',
    async (...args) => {
      const { cli, sandbox } = await startService();
      const { stderr, exitCode } = await cli(args);
      expect(stderr).toMatch(/^error: Please name the order\.\n.*merchant-orders list --search TEXT/);
      expect([exitCode, sandbox.requestCount()]).toEqual([2, 0]);
    },
  );
});
