import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type Step,
  type Topic,
  toMappingAnswers,
} from '../../../../src/commands/import/questions/answered.ts';
import { nextQuestion } from '../../../../src/commands/import/questions/next-question.ts';
import { textOf } from '../../../../src/commands/import/questions/question-text.ts';
import type {
  FieldProposal,
  Proposal,
  ProposedValue,
  ValueProposal,
} from '../../../../src/import/mapping/draft/proposal.ts';
import type { ShownColumn } from '../../../../src/import/mapping/guess/guesses.ts';

const columns = ['Pedido', 'Móvil', 'Teléfono', 'Pago', 'Estado', 'Importe', 'Subtotal', 'Fecha'];
const column = (header: string): ShownColumn => ({
  index: columns.indexOf(header),
  header,
  samples: [`${header} 1`],
});
const open = (field: string, ...names: string[]): FieldProposal => ({
  field,
  label: field,
  isNeeded: true,
  guesses: names.map(column),
  settled: [],
  isMapped: false,
});
const settled = (field: string, name: string): FieldProposal => ({
  ...open(field, name),
  settled: [column(name)],
});
const value = (text: string, decision?: ProposedValue['decision'], isCertain = false): ProposedValue => ({
  text,
  count: 2,
  isCertain,
  ...(decision === undefined ? {} : { decision }),
});
const payment: ValueProposal = {
  ...column('Pago'),
  meaning: 'payment_method',
  values: [value('Tarjeta', 'prepaid', true), value('Contra reembolso', 'collect', true), value('Pendiente')],
};
const state: ValueProposal = {
  ...column('Estado'),
  meaning: 'state',
  values: [value('Nuevo', 'deliver', true), value('Cancelado', 'leave_out'), value('Parado', 'leave_out')],
};
const empty: Proposal = {
  fields: [],
  collection: [{ kind: 'settled' }],
  values: [],
  amounts: [],
  unread: [],
};
const whole: Proposal = {
  fields: [
    settled('externalOrderId', 'Pedido'),
    open('customer.phone', 'Móvil', 'Teléfono'),
    settled('total', 'Importe'),
  ],
  collection: [{ kind: 'values', columns: ['Pago'] }, { kind: 'prepaid' }],
  values: [payment, state],
  amounts: [column('Importe'), column('Subtotal')],
  unread: [column('Fecha')],
};
const topicOf = (proposal: Partial<Proposal>, others: Partial<Topic> = {}): Topic => ({
  proposal: { ...empty, ...proposal },
  asksUnpaid: false,
  ...others,
});

/** The questions that come one after the other when they get these answers. */
function questionsWith(topic: Topic, answers: readonly string[]): string[] {
  const steps: Step[] = [];
  const asked: string[] = [];
  for (const answer of [...answers, '']) {
    const question = nextQuestion(topic, steps);
    if (question === undefined) break;
    asked.push(question.id);
    steps.push({ question: question.id, answer });
  }
  return asked;
}

describe('the questions', () => {
  test.each<[string, Topic, string[], string[]]>([
    ['nothing is open', topicOf({}), [], []],
    [
      'a settled field is not asked about, a column without guesses only when it is needed',
      topicOf({ fields: [settled('total', 'Importe'), { ...open('note'), isNeeded: false }, open('id')] }),
      ['none'],
      ['field:id'],
    ],
    [
      'another column is chosen from all',
      topicOf({ fields: [open('id', 'Pedido')] }),
      ['other column', 'column:Fecha'],
      ['field:id', 'field:id', 'unread'],
    ],
    [
      'a whole file: the field, who pays, what is not known of it, the states at once, what is not sent',
      topicOf(whole),
      ['column:Móvil', 'way:0', 'collect', 'right', 'right'],
      ['field:customer.phone', 'collection', 'value:3:Pendiente', 'values:Estado', 'unread'],
    ],
    [
      'the values of a state one by one',
      topicOf({ values: [state] }),
      ['one by one', 'deliver', 'leave_out'],
      ['values:Estado', 'value:4:Cancelado', 'value:4:Parado'],
    ],
    [
      'of a payment each value that is not certain, although there is a guess',
      topicOf({ collection: whole.collection, values: [{ ...payment, values: [value('QPay', 'prepaid')] }] }),
      ['way:0', 'prepaid'],
      ['collection', 'value:3:QPay'],
    ],
    [
      'what a payment column says is no question when all is prepaid',
      topicOf({ ...whole, fields: [] }),
      ['way:1', 'right', 'right'],
      ['collection', 'values:Estado', 'unread'],
    ],
    [
      'the amount is a question when it is not the total',
      topicOf({ ...whole, fields: [settled('total', 'Subtotal')], values: [payment], unread: [] }),
      ['way:0', 'deliver', 'column:Importe'],
      ['collection', 'value:3:Pendiente', 'amount'],
    ],
    [
      'and none when nothing is collected',
      topicOf({
        collection: whole.collection,
        values: [{ ...payment, values: [value('Tarjeta', 'prepaid', true)] }],
      }),
      ['way:0'],
      ['collection'],
    ],
    [
      'only what is new when the rest was decided before',
      topicOf(
        { ...whole, fields: [], collection: [{ kind: 'settled' }], values: [payment] },
        { only: new Set(), asksUnpaid: true },
      ),
      ['leave_out', 'collect'],
      ['value:3:Pendiente', 'unpaid'],
    ],
    [
      'and the new columns, whether they may hold a field or nothing',
      topicOf(
        {
          fields: [
            { ...open('note', 'Subtotal'), isNeeded: false },
            { ...open('city', 'Pago'), isNeeded: false },
          ],
          unread: [column('Fecha'), column('Estado')],
        },
        { only: new Set(['Pago', 'Fecha']) },
      ),
      ['none', 'right'],
      ['field:city', 'unread'],
    ],
    [
      'an answer is changed, and the others stay',
      topicOf({ ...whole, values: [payment] }),
      ['column:Móvil', 'way:0', 'collect', 'change', 'field:externalOrderId', 'column:Fecha', 'right'],
      [
        ...['field:customer.phone', 'collection', 'value:3:Pendiente', 'unread', 'change'],
        ...['field:externalOrderId', 'unread'],
      ],
    ],
    [
      'who pays is asked again, with its values',
      topicOf({ ...whole, fields: [settled('total', 'Importe')], values: [payment] }),
      ['way:1', 'change', 'collection', 'way:0', 'collect', 'right'],
      ['collection', 'unread', 'change', 'collection', 'value:3:Pendiente', 'unread'],
    ],
    [
      'a value that seemed decided is asked again',
      topicOf({ ...whole, fields: [], collection: [{ kind: 'settled' }], values: [state] }),
      ['right', 'change', 'values:Estado', 'leave_out', 'deliver', 'deliver', 'right'],
      ['values:Estado', 'unread', 'change', 'value:4:Nuevo', 'value:4:Cancelado', 'value:4:Parado', 'unread'],
    ],
  ])('%s', (_, topic, answers, expected) => {
    expect(questionsWith(topic, answers)).toEqual(expected);
  });

  it.each([
    ['the only column of the payment', [payment], ['collect', 'prepaid', 'leave_out']],
    [
      'one of two',
      [payment, { ...payment, ...column('Fecha') }],
      ['collect', 'prepaid', 'deliver', 'leave_out'],
    ],
  ])('offer for a value of %s that it says nothing only when another can', (_, values, expected) => {
    const topic = topicOf({ collection: [{ kind: 'values', columns: ['Pago', 'Fecha'] }], values });
    const question = nextQuestion(topic, [{ question: 'collection', answer: 'way:0' }]);
    const choices = question === undefined ? [] : textOf(question, [], 80).choices;
    expect(choices.map((choice) => choice.value)).toEqual(expected);
  });

  it('give the mapping that was answered', () => {
    const steps: Step[] = [
      { question: 'field:customer.phone', answer: 'other column' },
      { question: 'field:customer.phone', answer: 'column:Teléfono' },
      { question: 'field:note', answer: 'none' },
      { question: 'collection', answer: 'way:0' },
      { question: 'value:3:Pendiente', answer: 'leave_out' },
      { question: 'values:Estado', answer: 'right' },
      { question: 'unpaid', answer: 'prepaid' },
    ];
    expect(toMappingAnswers(topicOf({ ...whole, decimal: 'comma', dateOrder: 'dmy' }), steps)).toEqual({
      columns: new Map([
        ['customer.phone', 'Teléfono'],
        ['note', undefined],
      ]),
      collection: { kind: 'values', columns: ['Pago'] },
      amount: 'Importe',
      values: new Map([
        ['Pago', new Map([['Pendiente', 'leave_out']])],
        [
          'Estado',
          new Map([
            ['Nuevo', 'deliver'],
            ['Cancelado', 'leave_out'],
            ['Parado', 'leave_out'],
          ]),
        ],
      ]),
      decimal: 'comma',
      dateOrder: 'dmy',
      unpaid: 'prepaid',
    });
  });

  it('come to an end, and go back to the first, whatever is answered', () => {
    const topic = topicOf(whole, { asksUnpaid: true });
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 30 }), (picks) => {
        const steps: Step[] = [];
        for (const pick of picks) {
          const question = nextQuestion(topic, steps);
          if (question === undefined) break;
          const { choices } = textOf(question, columns.map(column), 80);
          expect(choices.length).toBeGreaterThan(0);
          const answer = choices[pick % choices.length]?.value ?? '';
          const before = JSON.stringify(question);
          steps.push({ question: question.id, answer });
          // The same question comes when its answer is taken back.
          expect(JSON.stringify(nextQuestion(topic, steps.slice(0, -1)))).toBe(before);
        }
        for (let asked = 0; asked < 20; asked += 1) {
          const question = nextQuestion(topic, steps);
          if (question === undefined) return;
          const { choices } = textOf(question, columns.map(column), 80);
          steps.push({ question: question.id, answer: choices[0]?.value ?? '' });
        }
        expect(nextQuestion(topic, steps)).toBeUndefined();
      }),
    );
  });
});
