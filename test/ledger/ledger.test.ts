import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBody, type LedgerEntry } from '../../src/ledger/order-log.ts';
import { type Database, openDatabase } from '../../src/system/sqlite.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { type LedgerOptions, ledgerClient, ledgerEntry, startLedger } from '../support/ledger.ts';

const entry = (fields: Partial<LedgerEntry> = {}) => ledgerEntry({ bodyHash: hashBody('{}'), ...fields });
const open = (path: string, options: LedgerOptions = {}) => startLedger({ path, ...options });
const newFile = () => join(temporaryDirectory(), 'ledger.db');

describe.each([
  ['in memory', () => ':memory:'],
  ['in a file', newFile],
])('a ledger %s', (_, path) => {
  it.each([
    entry(),
    entry({ state: 'created', orderId: 'id-1', orderNumber: 'ORD-2026-000001' }),
    entry({ state: 'rejected', code: 'PRODUCT_SKU_NOT_FOUND', generation: 3 }),
    entry({
      state: 'unknown',
      run: '',
      lastRun: 'run-2',
      unknownAt: 1763712000000,
      first409At: 1763711000000,
    }),
    entry({ externalOrderId: "Захиалга '1'; --" }),
  ])('returns the entry that was recorded: $state', async (recorded) => {
    const ledger = await open(path());
    ledger.orders.record(recorded);
    expect(ledger.orders.find(recorded.externalOrderId)).toEqual(recorded);
    expect(ledger.orders.find('another')).toBeUndefined();
  });

  it('restores the previous entry when an intent is withdrawn', async () => {
    const ledger = await open(path());
    const before = entry({ state: 'created', orderId: 'id-1', run: 'run-0' });
    ledger.orders.record(before);
    ledger.orders.record(entry());
    ledger.orders.withdraw('A-1', before);
    expect(ledger.orders.find('A-1')).toEqual(before);
    ledger.orders.record(entry({ externalOrderId: 'A-2' }));
    ledger.orders.withdraw('A-2', undefined);
    expect(ledger.orders.find('A-2')).toBeUndefined();
    expect(ledger.orders.find('A-1')).toEqual(before);
  });

  it('distinguishes order IDs by every character', async () => {
    const ledger = await open(path());
    const ids = ['A', 'a', 'А', 'A ', '#A', '00A'];
    for (const externalOrderId of ids)
      ledger.orders.record(entry({ externalOrderId, run: `run ${externalOrderId}` }));
    expect(ids.map((id) => ledger.orders.find(id)?.run)).toEqual(ids.map((id) => `run ${id}`));
  });

  it.each<Partial<LedgerEntry>>([{ state: 'sent' as never }, { generation: -1 }])(
    'rejects an invalid entry: %j',
    async (fields) => {
      const ledger = await open(path());
      expect(() => ledger.orders.record(entry(fields))).toThrow(
        expect.objectContaining({ code: 'ledger_not_writable', exitCode: 7 }),
      );
    },
  );
});

describe('entries of an API client', () => {
  it('are separate for each key and service', async () => {
    const path = newFile();
    const ours = await open(path);
    ours.orders.record(entry());
    for (const other of [{ apiKey: 'mk_live_secret_2' }, { service: 'https://api.other' }]) {
      const theirs = await open(path, other);
      expect([other, theirs.orders.find('A-1')]).toEqual([other, undefined]);
      theirs.orders.record(entry({ run: 'theirs' }));
      theirs.orders.withdraw('A-1', undefined);
    }
    expect(ours.orders.find('A-1')).toEqual(entry());
  });

  it('are found by service and key, not by the two joined', async () => {
    const path = newFile();
    (await open(path, { service: 'https://a', apiKey: 'b' })).orders.record(entry());
    expect((await open(path, { service: 'https://', apiKey: 'ab' })).orders.find('A-1')).toBeUndefined();
  });

  it('are stored under a different client name in every ledger', async () => {
    const names = [];
    for (const path of [newFile(), newFile()]) {
      const ledger = await open(path);
      ledger.orders.record(entry());
      ledger.close();
      names.push(((await read(path, 'SELECT client FROM orders')) as { client: string }[])[0]?.client);
    }
    expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(names[0]).not.toBe(names[1]);
  });
});

describe('the file', () => {
  it('contains neither the key nor the content of an order', async () => {
    const path = newFile();
    const ledger = await open(path);
    const body = '{"customer":{"phone":"99112233","name":"Бат-Эрдэнэ"}}';
    await ledger.runs.begin({
      id: 'run-1',
      kind: 'import',
      file: 'orders.csv',
      results: 'orders.results.csv',
      orders: 1,
    });
    ledger.runs.recordOrder('run-1', { row: 2, externalOrderId: 'A-1', outcome: 'created', attempts: 1 });
    ledger.cancellations.add({ orderId: 'id-1', externalOrderId: 'A-1' });
    ledger.orders.record(entry({ bodyHash: hashBody(body), state: 'created', orderId: 'id-1' }));
    const bytes = () =>
      readdirSync(join(path, '..'))
        .map((name) => readFileSync(join(path, '..', name), 'latin1'))
        .join('');
    const secrets = [ledgerClient.apiKey, '99112233', Buffer.from('Бат-Эрдэнэ').toString('latin1')];
    expect(bytes()).toContain(hashBody(body));
    expect(secrets.filter((secret) => bytes().includes(secret))).toEqual([]);
    ledger.close();
    expect(bytes()).toContain(hashBody(body));
    expect(secrets.filter((secret) => bytes().includes(secret))).toEqual([]);
  });
});

describe('a ledger that cannot be used', () => {
  const damaged = {
    code: 'ledger_not_writable',
    exitCode: 7,
    details: {
      hint: 'Check the free space and who owns ledger.db in the configuration folder. If it is damaged, move it away: orders keep their keys, so none is created twice.',
    },
  };

  it.each([
    ['text', 'this is no database, this is no database'],
    ['a torn header', `SQLite format 3\0${'\xff'.repeat(5000)}`],
  ])('is left unchanged when it contains %s', async (_, text) => {
    const path = newFile();
    writeFileSync(path, text, 'latin1');
    await expect(open(path)).rejects.toMatchObject(damaged);
    expect(readFileSync(path, 'latin1')).toBe(text);
  });

  it('can still be read when it is read-only', async () => {
    const ledger = await startLedger();
    ledger.database.exec('PRAGMA query_only = ON');
    expect(ledger.orders.find('A-1')).toBeUndefined();
    expect(ledger.orders.isEmpty()).toBe(true);
    const writes = [
      () => ledger.orders.record(entry()),
      () => ledger.orders.withdraw('A-1', undefined),
      () => ledger.orders.withdraw('A-1', entry()),
      () => ledger.runs.end('run-1', 0),
      () =>
        ledger.runs.recordOrder('run-1', { row: 2, externalOrderId: 'A-1', outcome: 'created', attempts: 1 }),
      () => ledger.cancellations.add({ orderId: 'id-1', externalOrderId: undefined }),
      () => ledger.cancellations.markReplaced('A-1'),
    ];
    const error = expect.objectContaining({ code: 'ledger_not_writable', exitCode: 7 });
    for (const write of writes) expect(write).toThrow(error);
    const run = {
      id: 'run-1',
      kind: 'import',
      file: 'orders.csv',
      results: 'orders.results.csv',
      orders: 1,
    } as const;
    await expect(ledger.runs.begin(run)).rejects.toEqual(error);
    await expect(ledger.transaction(() => undefined)).rejects.toEqual(error);
  });
});

describe('a transaction', () => {
  it('fails alone, with a ledger error', async () => {
    const ledger = await startLedger();
    const settled = await Promise.allSettled([
      ledger.transaction(() => {
        ledger.orders.record(entry({ externalOrderId: 'A-1' }));
        throw new Error('disk I/O error');
      }),
      ledger.transaction(() => ledger.orders.record(entry({ externalOrderId: 'A-2' }))),
    ]);
    expect(settled).toMatchObject([
      {
        reason: {
          code: 'ledger_not_writable',
          message: 'The ledger of past imports cannot be used: disk I/O error.',
        },
      },
      { status: 'fulfilled' },
    ]);
    expect(['A-1', 'A-2'].map((id) => ledger.orders.find(id)?.state)).toEqual([undefined, 'intent']);
  });

  it('waits for another writer, and sees what it wrote', async () => {
    const path = newFile();
    const [ledger, other] = [await open(path), await open(path)];
    other.database.exec('BEGIN IMMEDIATE');
    other.orders.record(entry({ state: 'created', orderId: 'S-1' }));
    ledger.database.exec('PRAGMA busy_timeout = 0');
    await expect(ledger.transaction(() => undefined)).rejects.toMatchObject({ code: 'ledger_not_writable' });
    other.database.exec('COMMIT');
    expect(await ledger.transaction(() => ledger.orders.find('A-1')?.orderId)).toBe('S-1');
  });

  it('with a sync fails when the ledger is not writable, even if it writes nothing', async () => {
    const ledger = await startLedger();
    ledger.database.exec('PRAGMA query_only = ON');
    await expect(ledger.transaction(() => ledger.sync())).rejects.toMatchObject({
      code: 'ledger_not_writable',
    });
    ledger.database.exec('PRAGMA query_only = OFF');
    ledger.database.exec(
      "CREATE TRIGGER full BEFORE UPDATE ON secret BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
    );
    await expect(ledger.transaction(() => ledger.sync())).rejects.toMatchObject({
      message: 'The ledger of past imports cannot be used: disk is full.',
    });
  });
});

describe('a transaction with a sync', () => {
  it('writes once more after its commit, so that it is on the disk', async () => {
    const path = newFile();
    const ledger = await open(path);
    const written = async (work: () => void) => {
      const before = statSync(`${path}-wal`).size;
      await ledger.transaction(work);
      return statSync(`${path}-wal`).size - before;
    };
    const plain = await written(() => ledger.database.exec('UPDATE secret SET value = value'));
    expect(await written(() => ledger.sync())).toBeGreaterThan(plain);
  });
});

describe('a disk that is full', () => {
  it('gets the outcomes of orders that were sent, and no order more', async () => {
    const path = newFile();
    const limitPages = (pages: number) => ledger.database.exec(`PRAGMA max_page_count = ${pages}`);
    const ledger = await open(path, { reserve: () => () => limitPages(1_000_000) });
    await ledger.runs.begin({ id: 'run-1', kind: 'import', file: 'a.csv', results: 'r.csv', orders: 2 });
    const [{ page_count: pages }] = ledger.database.prepare('PRAGMA page_count').all() as [
      { page_count: number },
    ];
    limitPages(pages);
    const created = entry({ externalOrderId: 'z'.repeat(20_000), state: 'created', orderId: 'S-1' });
    await ledger.transaction(() => ledger.orders.record(created));
    expect(ledger.orders.find(created.externalOrderId)).toEqual(created);
    await expect(
      ledger.transaction(() => ledger.orders.record(entry({ externalOrderId: 'A-2' }))),
    ).rejects.toMatchObject({
      message: 'The ledger of past imports cannot be written: the disk is full.',
    });
    expect(ledger.orders.find('A-2')).toBeUndefined();
  });
});

describe('hashBody', () => {
  it('distinguishes bodies by every byte', () => {
    expect(hashBody('{}')).toBe('44136fa355b3678a1146ad16f7e8649e');
    expect(hashBody('{"a":"1"}')).not.toBe(hashBody('{"a":1}'));
  });
});

async function read(path: string, sql: string): Promise<unknown[]> {
  const database: Database = await openDatabase(path);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}
