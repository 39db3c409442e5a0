import { expect, test } from 'vitest';
import { otherSpelling } from '../../../src/commands/import/confirm.ts';
import { ledgerEntry, startLedger } from '../../support/ledger.ts';

test.each([
  ['#1013', ['1013'], '1013'],
  ['1013', ['#1013'], '#1013'],
  ['0012', ['12'], '12'],
  ['#0012', ['#12'], '#12'],
  ['1013', ['1013', '#1013'], undefined],
  ['1013', ['10130', 'A-1013'], undefined],
  ['0', ['#'], undefined],
])('%s, when %j were imported: %s', async (id, known, other) => {
  const ledger = await startLedger();
  for (const externalOrderId of known) ledger.orders.record(ledgerEntry({ externalOrderId }));
  expect(otherSpelling(id, ledger)).toBe(other);
});
