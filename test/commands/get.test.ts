import { describe, expect, it } from 'vitest';
import { startService } from '../support/service.ts';

const item = ['--item', 'TEA-1', '--prepaid', '--phone', '99112233'];

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

  it('also looks up a reference that looks like a UUID as an external order ID', async () => {
    const { cli } = await startService();
    const externalOrderId = '0d0f7cc0-9a0e-4d5c-8a51-2f7a2a1d2c3b';
    await cli(['create', '--external-order-id', externalOrderId, ...item]);
    const { stdout } = await cli(['get', externalOrderId, '--json']);
    expect(JSON.parse(stdout).externalOrderId).toBe(externalOrderId);
  });

  it('looks up only the kind of reference that --by names', async () => {
    const { cli } = await startService();
    await cli(['create', '--external-order-id', 'ORD-1999-1', ...item]);
    const { exitCode, stdout } = await cli(['get', 'ORD-1999-1', '--by', 'number']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  });

  it('exits with 3 and a hint when the order does not exist', async () => {
    const { cli } = await startService();
    expect(await cli(['get', 'nothing'])).toEqual({
      stdout: '',
      stderr:
        'error: There is no order nothing.\n' +
        'Check the number, or search with: merchant-orders list --customer-phone PHONE\n',
      exitCode: 3,
      asked: [],
    });
  });

  it('prints numbers of the service with all their digits', async () => {
    const { cli } = await startService();
    await cli([
      'create',
      '--external-order-id',
      'UB-1',
      ...item,
      '--set',
      'weight:=1.10',
      '--set',
      'big:=12345678901234567890',
    ]);
    const { stdout } = await cli(['get', 'UB-1', '--columns', 'weight,big,collectionMode']);
    expect(stdout).toBe('weight\tbig\tcollectionMode\n1.10\t12345678901234567890\tNONE\n');
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
