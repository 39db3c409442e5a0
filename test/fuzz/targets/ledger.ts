import fc, { type Arbitrary } from 'fast-check';
import type { FileContent, FuzzCase, Target } from '../case.ts';
import { makeLedger } from '../place.ts';
import { damage, longText, oddText, seldom } from '../text.ts';
import words from '../words.json' with { type: 'json' };

const csv = Buffer.from(
  `externalOrderId,customer.phone,items[].sku,collectionMode\n${[1, 2, 3].map((n) => `UB-${n},99112233,TEA-1,NONE\n`).join('')}`,
);
const create = [
  'create',
  '--external-order-id',
  'UB-1',
  '--phone',
  '99112233',
  '--item',
  'TEA-1',
  '--prepaid',
  '--yes',
];
const commands = [
  ['import', 'orders.csv', '--yes'],
  ['import', 'orders.csv', '--dry-run'],
  ['imports'],
  ['imports', '--json'],
  ['imports', 'show', 'run-1'],
  ['imports', 'show', 'run-1', '--format', 'csv'],
  ['settle', 'run-1'],
  create,
  ['list'],
  ['cancel', '--from', 'orders.csv', '--reason', 'no', '--yes'],
];
const tables = words.tables;
const columns = words.ledgerColumns;

const runs = [
  "INSERT INTO clients VALUES ('c', 'http://127.0.0.1')",
  "INSERT INTO runs VALUES ('run-1', 'import', 'orders.csv', 'orders.results.csv', 'c', 'http://127.0.0.1', 3, 1, 1, 2, 6)",
  ...[1, 2, 3].map(
    (n) => `INSERT INTO run_orders VALUES ('run-1', ${n}, 'UB-${n}', 'unknown', NULL, 1, 'hash')`,
  ),
  ...[1, 2, 3].map(
    (n) =>
      `INSERT INTO orders VALUES ('c', 'UB-${n}', 'h', 'k-${n}', 0, 'unknown', NULL, NULL, NULL, 'run-1', 'run-1', 1, NULL, 1)`,
  ),
];
const plain = await makeLedger(runs);

function statement(max: number): Arbitrary<string> {
  const table = fc.constantFrom(...tables);
  const literal = fc.oneof(
    fc.constantFrom(
      'NULL',
      '1e400',
      '-1',
      '9223372036854775807',
      "x'00ff'",
      "''",
      'zeroblob(100000)',
      "'unknown'",
    ),
    fc.oneof(oddText(max), longText(max)).map((text) => `'${text.replace(/['\0]/g, '')}'`),
  );
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(table, fc.constantFrom(...columns), literal)
        .map(([name, column, value]) => `UPDATE OR IGNORE ${name} SET ${column} = ${value}`),
    },
    table.map((name) => `DELETE FROM ${name}`),
    table.map((name) => `DROP TABLE ${name}`),
    fc
      .tuple(table, fc.constantFrom(...columns))
      .map(([name, column]) => `ALTER TABLE ${name} DROP COLUMN ${column}`),
    fc
      .tuple(table, fc.constantFrom(...columns))
      .map(([name, column]) => `ALTER TABLE ${name} RENAME COLUMN ${column} TO x`),
    fc.integer({ min: -1, max: 5 }).map((version) => `PRAGMA user_version = ${version}`),
    fc.constant('PRAGMA application_id = 7'),
    fc.constant("CREATE TRIGGER t BEFORE INSERT ON orders BEGIN SELECT RAISE(ABORT, 'no'); END"),
    fc.constant('INSERT INTO secret SELECT value FROM secret'),
    fc.constant(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.round(max / 10)}) INSERT OR IGNORE INTO run_orders SELECT 'run-1', i + 9, 'UB-' || i, 'unknown', NULL, 1, 'hash' FROM n`,
    ),
  );
}

/** The file of the ledger: other bytes, other content, another database, junk beside it. */
export const ledger: Target = {
  name: 'ledger',
  cases: (max) => {
    const content: Arbitrary<FileContent> = fc.oneof(
      { weight: 4, arbitrary: damage(plain) },
      {
        weight: 4,
        arbitrary: fc
          .array(statement(max), { minLength: 1, maxLength: 4 })
          .map((odd): FileContent => ({ kind: 'ledger', statements: [...runs, ...odd] })),
      },
      { weight: 1, arbitrary: oddText(max).map((text) => Buffer.from(text)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<FileContent>(
          { kind: 'directory' },
          { kind: 'link', to: 'ledger.db' },
          { kind: 'link', to: '../work/orders.csv' },
          { kind: 'sparse', bytes: 2 ** 30 },
        ),
      },
    );
    const beside = seldom(
      fc.uint8Array({ maxLength: 5000 }).map((bytes) => Buffer.from(bytes)),
      8,
    );
    return fc
      .record({ command: fc.constantFrom(...commands), content, wal: beside, shm: beside, draw: fc.nat(5) })
      .map(
        ({ command, content: file, wal, shm, draw }): FuzzCase => ({
          args: command,
          files: { 'orders.csv': csv },
          configuration: {
            'ledger.db': file,
            ...(wal === undefined ? {} : { 'ledger.db-wal': wal }),
            ...(shm === undefined ? {} : { 'ledger.db-shm': shm }),
          },
          isSpawned: draw === 0,
        }),
      );
  },
};
