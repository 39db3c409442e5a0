import fc from 'fast-check';
import { describe, it } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { printDraft } from '../../../../src/import/mapping/draft/print-draft.ts';
import { profileTable } from '../../../../src/import/mapping/draft/propose-mapping.ts';
import { draftMapping } from '../../../../src/import/mapping/draft/write-mapping.ts';
import type { MappingFile } from '../../../../src/import/mapping/language.ts';
import { parseMappingFile } from '../../../../src/import/mapping/mapping-file.ts';
import { withMapping } from '../../../../src/import/mapping/shops/presets.ts';
import { tableOf } from '../../tables.ts';

const headers = [
  ...[
    'Order no',
    'Order ID',
    'Pedido',
    'Phone',
    'Teléfono',
    'Утас',
    'Billing phone',
    'SKU',
    'Código',
    'Code',
  ],
  ...[
    'Qty',
    'Refunded qty',
    'Total',
    'Subtotal',
    'Price',
    'COD amount',
    'Deposit',
    'Payment',
    'Paid',
    'Paid at',
  ],
  ...[
    'Status',
    'Cancelled at',
    'Shipping',
    'Currency',
    'Calle',
    'Ciudad',
    'Delivery date',
    'Name',
    'Nota',
    'Tags',
    'x',
  ],
];
const texts = [
  ...['', '1', '2', '1001', 'P-1', 'P-2', '99112233', '88112233', 'TEA-1', '8900', '45.000', '8.900,50', '0'],
  ...[
    '2026-11-20',
    '20.11.2026',
    'COD',
    'card',
    'paid',
    'unpaid',
    'yes',
    'no',
    'new',
    'cancelled',
    'Pickup',
    'MNT',
  ],
  ...['Bold', 'Calle Sol 1', 'a@example.com', '? a', '*', 'Total', 'constructor'],
];
const table = fc.uniqueArray(fc.constantFrom(...headers), { minLength: 1, maxLength: 12 }).chain((names) =>
  fc.record({
    names: fc.constant(names),
    rows: fc.array(
      fc.array(fc.constantFrom(...texts), { minLength: names.length, maxLength: names.length }),
      {
        maxLength: 8,
      },
    ),
  }),
);

describe('the draft of any table', () => {
  it('has each column for one field, and is a mapping file once its questions are answered', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ names, rows }) => {
        const source = tableOf(names.join('|'), ...rows.map((row) => row.join('|')));
        const stopping = new AbortController().signal;
        const profiled = await profileTable(source, { constants: [], stopping });
        const optionsWith = (map: MappingFile | undefined) => withMapping({ checks: true }, map);
        const draft = draftMapping({ table: profiled, given: {}, optionsWith });
        const { proposal, open } = draft;
        const guessed = proposal.fields.flatMap(({ guesses }) => guesses.map(({ index }) => index));
        if (new Set(guessed).size < guessed.length) throw new Error('a column is guessed for two fields');
        try {
          parseMappingFile(JSON.stringify(printDraft(draft)), 'map.json');
        } catch (error) {
          const isExpected = error instanceof CliError && open.length > 0;
          if (!isExpected) throw error;
          return;
        }
        if (open.length > 0) throw new Error('a question was accepted');
      }),
    );
  });
});
