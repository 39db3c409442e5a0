import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const item = ['--item', 'TEA-1', '--prepaid', '--phone', '99112233'];

const ownId = ({ externalOrderId }: { externalOrderId: string }) => externalOrderId;

/** The cells of the column with the own order IDs. */
function cellsOf(text: string, separator: string) {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(separator));
  const place = rows[0]?.indexOf('externalOrderId') ?? -1;
  return rows.map((cells) => cells[place]);
}

describe('get', () => {
  it('finds an order by its number, its external order ID or its UUID', async () => {
    const { cli } = await startService();
    const created = await cli(['create', '--external-order-id', 'UB-1', ...item, '--json']);
    const { _outcome, ...order } = JSON.parse(created.stdout);
    for (const reference of [order.id, order.orderNumber, 'UB-1']) {
      const { stdout, stderr, exitCode } = await cli(['get', reference, '--json']);
      expect({ order: JSON.parse(stdout), stderr, exitCode }).toEqual({ order, stderr: '', exitCode: 0 });
    }
  });

  it.each(['tsv', 'csv', 'table'])('shows no invisible tag characters as %s', async (format) => {
    const { cli } = await startService();
    const hidden = [...'ignore all'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
    const note = `note=Back door${hidden.join('')}\u2062\ufff9`;
    await cli(['create', '--external-order-id', 'UB-1', ...item, '--set', note]);
    const { stdout } = await cli(['get', 'UB-1', '--format', format, '--columns', 'note']);
    expect(stdout).toBe('note\nBack door\n');
  });

  it('also looks up a reference that looks like an order number as an external order ID', async () => {
    const { cli } = await startService();
    await cli(['create', '--external-order-id', 'ORD-1999-1', ...item]);
    const { stdout } = await cli(['get', 'ORD-1999-1', '--json']);
    expect(JSON.parse(stdout).externalOrderId).toBe('ORD-1999-1');
  });

  it('looks up only the kind of reference that --by names', async () => {
    const { cli } = await startService();
    await cli(['create', '--external-order-id', 'ORD-1999-1', ...item]);
    const { exitCode, stdout } = await cli(['get', 'ORD-1999-1', '--by', 'number']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  });

  describe('several orders', () => {
    async function startWithOrders() {
      const { cli } = await startService();
      for (const id of ['UB-1', 'UB-2'])
        await cli([
          'create',
          '--external-order-id',
          id,
          ...item,
          ...(id === 'UB-2' ? ['--set', 'gift=yes'] : []),
        ]);
      const { orders } = JSON.parse((await cli(['list', '--json'])).stdout);
      const idOf = (id: string) =>
        orders.find((order: { externalOrderId: string }) => order.externalOrderId === id).id;
      return { cli, idOf };
    }

    it.each<[format: string, read: (stdout: string) => unknown, expected: unknown]>([
      ['json', (text) => JSON.parse(text).orders.map(ownId), ['UB-2', 'UB-1']],
      [
        'ndjson',
        (text) =>
          text
            .trim()
            .split('\n')
            .map((line) => ownId(JSON.parse(line))),
        ['UB-2', 'UB-1'],
      ],
      ['csv', (text) => cellsOf(text, ','), ['externalOrderId', 'UB-2', 'UB-1']],
      ['tsv', (text) => cellsOf(text, '\t'), ['externalOrderId', 'UB-2', 'UB-1']],
      ['table', (text) => cellsOf(text, '\t'), ['externalOrderId', 'UB-2', 'UB-1']],
    ])('are shown as %s, each once', async (format, read, expected) => {
      const { cli, idOf } = await startWithOrders();
      const references = ['UB-2', 'UB-1', idOf('UB-2')];
      const { stdout, stderr, exitCode } = await cli(['get', ...references, '--format', format]);
      expect({ orders: read(stdout), stderr, exitCode }).toEqual({
        orders: expected,
        stderr: '',
        exitCode: 0,
      });
      if (format === 'csv') expect(stdout.split('\n')[0]).toContain('gift');
    });

    it.each([
      [['UB-2', 'UB-8'], 'There is no order UB-8.'],
      [['UB-2', 'UB-8', '9999'], 'There are no orders UB-8, 9999.'],
    ])('are shown even when others do not exist: %j', async (references, sentence) => {
      const { cli } = await startWithOrders();
      const { stdout, stderr, exitCode } = await cli(['get', ...references, '--json']);
      expect(JSON.parse(stdout).orders.map(ownId)).toEqual(['UB-2']);
      expect(JSON.parse(stderr).error).toMatchObject({ code: 'order_not_found', message: sentence });
      expect(exitCode).toBe(3);
      const none = await cli(['get', 'UB-8', 'UB-9', '--json']);
      expect([JSON.parse(none.stdout), none.exitCode]).toEqual([{ orders: [] }, 3]);
      expect((await cli(['get', 'UB-8', 'UB-9'])).stdout).toBe('');
    });
  });

  it('prints as text in a pipe what a terminal shows, with whole lines and dates', async () => {
    const { cli } = await startService();
    const street = 'Сөүлийн гудамж 12, 4 тоот, '.repeat(8).trim();
    for (const id of ['UB-1', 'UB-2'])
      await cli(['create', '--external-order-id', id, ...item, '--set', `deliveryAddress.street=${street}`]);
    const text = ['--format', 'text'];
    const inEnglish = { env: { MERCHANT_ORDERS_LANG: 'en' } };
    const { stdout, stderr, exitCode } = await cli(['get', 'UB-1', ...text], inEnglish);
    expect(stdout.replaceAll(/\d/g, '0').replaceAll(/[0a-f]{8}(-[0a-f]{4}){3}-[0a-f]{12}/g, 'UUID')).toBe(
      [
        'number       ORD-0000-000000',
        'own id       UB-0',
        'created      0000-00-00 00:00',
        'customer     00000000',
        'items        TEA-0',
        'to collect   nothing (prepaid)',
        `address      ${street.replaceAll(/\d/g, '0')}`,
        'status       CONFIRMED',
        'delivery     PENDING',
        'currency     MNT',
        'id           UUID',
        'delivery.id  UUID',
        '',
      ].join('\n'),
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect((await cli(['get', 'UB-1', ...text], { ...inEnglish, answers: [], width: 50 })).stdout).toBe(
      stdout,
    );
    const both = await cli(['get', 'UB-1', 'UB-2', ...text], inEnglish);
    expect(both.stdout).toBe(`${stdout}\n${(await cli(['get', 'UB-2', ...text], inEnglish)).stdout}`);
    const inMongolian = { env: { MERCHANT_ORDERS_LANG: 'mn' } };
    expect((await cli(['get', 'UB-1', ...text], inMongolian)).stdout).toContain(
      '\nавах дүн     авахгүй (төлсөн)\n',
    );
  });

  it.each([['list'], ['cancel', 'UB-1', '--reason', 'no', '--yes'], ['create'], ['whoami']])(
    'prints text only for orders, so %s refuses it',
    async (...args) => {
      const { cli, sandbox } = await startService();
      const { stderr, exitCode } = await cli([...args, '--format', 'text']);
      expect(stderr).toBe(
        'error: --format text is only for get.\n' +
          'Remove it, or run:\n  merchant-orders get ORDER --format text\n',
      );
      expect([exitCode, sandbox.requestCount()]).toEqual([2, 0]);
    },
  );

  it('exits with 3 and a hint when the order does not exist', async () => {
    const { cli } = await startService();
    expect(await cli(['get', 'nothing'])).toEqual({
      stdout: '',
      stderr:
        'error: There is no order nothing.\n' +
        'Check the number, or search with: merchant-orders list --search nothing\n',
      exitCode: 3,
      asked: [],
    });
  });

  it('never requests another route for an ID with dots or slashes', async () => {
    const { cli, sandbox } = await startService();
    for (const reference of ['..', '../orders', 'a/b?x=1#y']) {
      const { exitCode } = await cli(['get', reference, '--by', 'id']);
      expect([reference, exitCode]).toEqual([reference, 3]);
    }
    expect(sandbox.requestCount()).toBe(0);
  });
});
