import { expect, onTestFinished, test } from 'vitest';
import { otherSpelling } from '../../src/import/other-spelling.ts';
import { createIntent } from '../../src/import/record-creation.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { openDatabase } from '../../src/system/sqlite.ts';

test.each([
  ['#1013', ['1013'], '1013'],
  ['1013', ['#1013'], '#1013'],
  ['0012', ['12'], '12'],
  ['#0012', ['#12'], '#12'],
  ['1013', ['1013', '#1013'], undefined],
  ['1013', ['10130', 'A-1013'], undefined],
  ['0', ['#'], undefined],
])('%s, when %j were imported: %s', async (id, known, other) => {
  const client = { service: 'https://api.example', apiKey: 'mk_1' };
  const ledger = await openLedger(
    () => openDatabase(':memory:'),
    client,
    () => 1000,
  );
  onTestFinished(() => ledger.close());
  for (const externalOrderId of known) ledger.record(createIntent(externalOrderId, '{}', 'key', 'run-1'));
  expect(otherSpelling(id, ledger)).toBe(other);
});
