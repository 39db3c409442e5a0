import { type KnownValues, knownValues, type Rule } from './conditions.ts';
import type { DecidedColumn } from './decided-columns.ts';
import type { NamedColumn, RulesOf } from './rules.ts';

/** Who pays at the door. */
export interface PaymentRules {
  /** Asked before anything else, one after the other. */
  decided: readonly DecidedColumn[];
  paid: Rule;
  partlyPaid: Rule;
  open: Rule;
  onDelivery: Rule;
  /** The columns of the three rules for the state of the payment. */
  states: readonly KnownValues[];
  methods: readonly NamedColumn[];
  /** Joins the methods of one cell. */
  split: string | undefined;
  /** What is still to be paid; the first column with text is read. */
  due: readonly NamedColumn[];
  /** What is paid already, when only the total is stated. */
  alreadyPaid: readonly NamedColumn[];
  /** The total is not what is left to pay, and neither is the total less another column. */
  unclear: Rule;
}

/** Looks up the rules about the payment; undefined when there are none. */
export function readPayment(
  sourceOf: (key: keyof RulesOf) => { rules: RulesOf } | undefined,
  rule: (key: keyof RulesOf) => Rule,
  columns: (key: keyof RulesOf, names?: string | readonly string[]) => NamedColumn[],
  decided: readonly DecidedColumn[],
  isOpen: (column: NamedColumn) => boolean,
): PaymentRules | undefined {
  const method = sourceOf('payment_method')?.rules.payment_method;
  const payment: PaymentRules = {
    paid: rule('paid'),
    partlyPaid: rule('partly_paid'),
    open: rule('open'),
    onDelivery: rule('on_delivery'),
    decided,
    states: [],
    methods: columns('payment_method', typeof method === 'object' ? method.from : method).filter(isOpen),
    split: typeof method === 'object' ? method.split : undefined,
    due: columns('amount_due'),
    alreadyPaid: columns('amount_paid'),
    unclear: rule('amount_unclear'),
  };
  const { paid, partlyPaid, open, onDelivery, methods, due } = payment;
  if ([decided, paid, partlyPaid, open, onDelivery, methods, due].every(({ length }) => length === 0))
    return undefined;
  const isMethod = (index: number) => methods.some((column) => column.index === index);
  return {
    ...payment,
    states: knownValues([paid, partlyPaid, open].map(stateColumns), (index) => !isMethod(index)).filter(
      isOpen,
    ),
  };
}

/** The first column of each alternative; those beside it only narrow it down. */
function stateColumns(rule: Rule): Rule {
  return rule.map((conditions) => conditions.slice(0, 1));
}
