import type { Plan } from '../../../import/orders/plan-import.ts';
import { type FoldedProblem, isAmbiguousAmount } from '../../../import/problem.ts';
import type { FieldProposal, Proposal } from '../../../import/propose/proposal.ts';

/** Problems of a header; for a single order the same codes mean blank cells. */
const headerCodes: ReadonlySet<string> = new Set([
  'column_missing',
  'customer_missing',
  'items_missing',
  'collection_mode_missing',
  'header_duplicate',
]);

const anyCodes: ReadonlySet<string> = new Set([
  'column_undecided',
  'quantity_unread',
  'payment_unread',
  'state_unread',
  'address_unread',
  'date_unread',
  'payment_unknown',
  'payment_open',
  'state_unknown',
  'value_unknown',
]);

/** The columns with problems that answers can solve. */
export function columnsInQuestion({ problems }: Plan, { fields, unread }: Proposal): ReadonlySet<string> {
  const headers = new Set(
    problems.flatMap(({ first: { code, header } }) => (anyCodes.has(code) ? header : [])),
  );
  const columns = [...fields.flatMap(({ guesses }) => guesses), ...unread];
  return new Set(
    columns.map(({ name }) => name).filter((name) => headers.has(name.replace(/#\d{1,3}$/, ''))),
  );
}

const fieldsByCode: Partial<Record<string, Pick<FieldProposal, 'field' | 'label'>>> = {
  quantity_unread: { field: 'items[].quantity:number', label: 'the quantity' },
  address_unread: { field: 'deliveryAddress.street', label: 'the street' },
  date_unread: { field: 'requestedDeliveryDate', label: 'the delivery date' },
};

/** Adds the fields that only problems of orders show: unread columns, and lines without a SKU. */
export function withUnreadFields(
  proposal: Proposal,
  { problems }: Plan,
  declined: ReadonlySet<string>,
): Proposal {
  const lacks = (wanted: string) => proposal.fields.every(({ field }) => field !== wanted);
  const common = { isNeeded: true, isMapped: false };
  const unread = problems.flatMap(({ first: { code, header } }): FieldProposal[] => {
    const field = fieldsByCode[code];
    const guesses = proposal.unread.filter(({ name }) => name === header);
    if (field === undefined || guesses.length === 0 || !lacks(field.field)) return [];
    return [{ ...field, ...common, guesses }];
  });
  const byField = new Map(unread.map((field) => [field.field, field]));
  const named = { field: 'items[].name', label: 'the name of the product', ...common, guesses: [] };
  const lines = declined.has('items[].sku') && lacks(named.field) ? [named] : [];
  const taken = new Set(unread.flatMap(({ guesses }) => guesses));
  return {
    ...proposal,
    fields: [...proposal.fields, ...byField.values(), ...lines],
    unread: proposal.unread.filter((column) => !taken.has(column)),
  };
}

export function isAskable(plan: Plan): boolean {
  return hasProblem(
    plan,
    (code, { first }) =>
      anyCodes.has(code) ||
      isAmbiguousAmount(first) ||
      (headerCodes.has(code) && first.about !== 'order') ||
      ((code === 'decimal_invalid' || code === 'date_invalid') && first.cures?.length === 1),
  );
}

export function hasProblem(
  { problems }: Plan,
  isMeant: (code: string, problem: FoldedProblem) => boolean,
): boolean {
  return problems.some(
    (problem) => problem.first.severity === 'error' && isMeant(problem.first.code, problem),
  );
}
