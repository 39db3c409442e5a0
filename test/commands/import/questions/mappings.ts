import { readFileSync } from 'node:fs';
import { fixture } from '../../../import/tables.ts';
import type { Answer } from '../../../support/cli.ts';

interface ReadOrder {
  id: string;
  order?: Record<string, unknown>;
  leftOut?: string;
}

/** The exports of fixtures/mappings, and what a person answers to the questions about them, in their order. */
export const answersByFile: Record<string, Answer[]> = {
  pedidos: [
    { pick: 'Código' },
    'prepaid',
    'leave_out',
    'deliver',
    { pick: 'Importe' },
    'nothing',
    'right',
    'right',
  ],
  zahialga: [{ pick: 'Хүлээн авагчийн утас' }, 'prepaid', 'prepaid', 'leave_out', 'right', 'right'],
  bestellungen: ['leave_out', 'deliver', { pick: 'Gesamtbetrag' }, 'right', 'right'],
};

/** The orders that a person reads from the file, and those that are left out. */
export function ordersOf(name: string): ReadOrder[] {
  return JSON.parse(readFileSync(fixture(`mappings/${name}.orders.json`), 'utf8'));
}

/** An order of the service without what only the service says of it. */
export function withoutService(order: Record<string, unknown>): Record<string, unknown> {
  const { id, orderNumber, status, delivery, createdAt, updatedAt, currency, ...own } = order;
  return own;
}

/** The same at a terminal, by the names of the choices. */
export const keysByFile: Record<string, { pick: string }[]> = {
  pedidos: ['Código', 'prepaid', 'leave', 'send', 'Importe', 'nothing', 'yes', 'yes'].map(pick),
  zahialga: ['Хүлээн авагчийн утас', 'prepaid', 'prepaid', 'leave', 'yes', 'yes'].map(pick),
  bestellungen: ['leave', 'send', 'Gesamtbetrag', 'yes', 'yes'].map(pick),
};

function pick(text: string): { pick: string } {
  return { pick: text };
}
