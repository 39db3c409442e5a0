import { describe, expect, it } from 'vitest';
import type { Meaning } from '../../../../src/import/columns/meanings.ts';
import { profileRows } from '../../../../src/import/columns/profile.ts';
import { proposeValuesOf } from '../../../../src/import/mapping/draft/propose-values.ts';

type Beside = Parameters<typeof proposeValuesOf>[2];

const alone: Beside = { hasOtherPayment: false };
const besideOthers: Beside = { hasOtherPayment: true };

function valuesOf(header: string, meaning: Meaning, texts: string[], context = alone) {
  const [profile] = profileRows(
    1,
    texts.map((text) => ({ cells: [text] })),
  );
  if (profile === undefined) throw new Error('no column');
  const { values } = proposeValuesOf({ index: 0, header, meaning }, profile, context);
  return Object.fromEntries(
    values.map(({ text, decision, isCertain }) => [
      text,
      isCertain ? decision : `? ${decision ?? ''}`.trim(),
    ]),
  );
}

describe('what a value of a column means', () => {
  it.each<[header: string, meaning: Meaning, text: string, expected: string]>([
    ['COD', 'payment_method', 'Y', 'collect'],
    ['COD', 'payment_method', 'N', 'prepaid'],
    ['Refund amount', 'state', '4500', '? leave_out'],
    ['Status', 'state_or_payment', 'paid', 'prepaid'],
    ['Status', 'state_or_payment', 'cancelled', 'leave_out'],
    ['Status', 'state_or_payment', 'packed', '? deliver'],
  ])('%s (%s): %s', (header, meaning, text, expected) => {
    expect(valuesOf(header, meaning, [text])).toEqual({ [text]: expected });
  });

  it('leaves an open status, and a blank cell, to the other column of the payment', () => {
    expect(valuesOf('Paid', 'payment_status', ['no', 'yes', ''], besideOthers)).toEqual({
      no: 'deliver',
      yes: 'prepaid',
      '': 'deliver',
    });
  });

  it('leaves the second column of methods alone when the first says the method of every order', () => {
    const later = { hasOtherPayment: true, isLater: true };
    expect(valuesOf('Method title', 'payment_method', ['Card', 'COD'], later)).toEqual({
      Card: 'deliver',
      COD: 'collect',
    });
  });

  it.each([
    ['Paid', 'prepaid'],
    ['Unpaid', '? collect'],
    ['Partially paid', '?'],
    ['Cash', '? collect'],
    ['тооцоотой байгаа', '? collect'],
    ['тооцоогүй байгаа', '? prepaid'],
    ['Refund paid in part', '?'],
    ['Terminal 7', 'deliver'],
    ['-', 'deliver'],
  ])('asks about a second column of methods that says more than a method: %s', (text, expected) => {
    const later = { hasOtherPayment: true, isLater: true };
    expect(valuesOf('Method title', 'payment_method', [text], later)).toEqual({ [text]: expected });
  });
});
