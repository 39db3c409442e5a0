import { formatFieldPath } from '../../../orders/field-path.ts';
import { fills } from '../column.ts';
import type { ColumnProfile } from '../guess/column-profile.ts';
import type { ShownColumn } from '../guess/guesses.ts';
import { isPaymentMeaning, type Meaning } from '../meanings.ts';
import type {
  CollectionWay,
  FieldProposal,
  GivenMapping,
  Proposal,
  ProposedValue,
  ValueProposal,
} from './proposal.ts';

/** A column such as `COD` may hold amounts. */
export function areAmounts({ shares, values = [] }: ColumnProfile): boolean {
  return shares.money >= 0.95 && values.some(({ text }) => /[2-9]\d|\d{3}/.test(text));
}

const dueMeanings: readonly Meaning[] = ['amount_due', 'payment_method'];

/** Columns of amounts that may be those to collect. */
export function unreadAmounts(
  { mapped }: GivenMapping,
  profiles: readonly ColumnProfile[],
  ofRules: ReadonlySet<number>,
): number[] {
  return mapped.unread.flatMap(({ index, meaning }) => {
    const profile = profiles[index];
    const mayBeDue = dueMeanings.includes(meaning) && profile !== undefined && areAmounts(profile);
    return mayBeDue && !ofRules.has(index) ? [index] : [];
  });
}

export function amountsOf(fields: readonly FieldProposal[], due: readonly ShownColumn[]): ShownColumn[] {
  const guessesOf = (name: string) => fields.find(({ field }) => field === name)?.guesses ?? [];
  const all = [...guessesOf('collectionAmount'), ...due, ...guessesOf('total')];
  return all.filter(({ index }, place) => all.findIndex((other) => other.index === index) === place);
}

/** Whether a column says itself what is collected, and not what the order costs. */
export function isDue({ fields }: Pick<Proposal, 'fields'>, { index }: ShownColumn): boolean {
  const total = fields.find(({ field }) => field === 'total');
  return total === undefined || total.guesses.every((guess) => guess.index !== index);
}

/** `mode` is a column whose values are collection modes. */
export function collectionWays(
  known: GivenMapping,
  mode: ShownColumn | undefined,
  values: readonly ValueProposal[],
  amounts: readonly ShownColumn[],
): CollectionWay[] {
  const { mapped } = known;
  const paths = [...mapped.columns.map(({ path }) => formatFieldPath(path)), ...constantPaths(known)];
  const isOpen = mapped.unread.some(({ meaning }) => isPaymentMeaning(meaning) || meaning === 'amount_due');
  const isSettled = paths.includes('collectionMode') || mapped.rules.payment !== undefined;
  if (isSettled && !isOpen) return [{ kind: 'settled' }];
  const ways: CollectionWay[] = [];
  if (mode !== undefined) {
    ways.push({ kind: 'mode', column: { ...mode, reasons: ['its values are NONE and COLLECT'] } });
  }
  const saysWhoPays = ({ decision }: ProposedValue) => decision === 'collect' || decision === 'prepaid';
  const columns = values.filter((value) => isPaymentMeaning(value.meaning) || value.values.some(saysWhoPays));
  if (columns.length > 0) ways.push({ kind: 'values', columns: columns.map(({ header }) => header) });
  const dues = amounts.filter(({ index }) => isDueIn(mapped, index));
  ways.push(...dues.map((column) => ({ kind: 'amount' as const, column })));
  const [column] = amounts;
  if (column !== undefined && dues.length === 0) ways.push({ kind: 'collect_all', column });
  ways.push({ kind: 'prepaid' });
  if (amounts.length === 0 && mode === undefined && columns.length === 0) ways.push({ kind: 'collect_all' });
  return ways;
}

function isDueIn({ columns, unread }: GivenMapping['mapped'], index: number): boolean {
  return (
    columns.filter(fills('collectionAmount')).some((column) => column.index === index) ||
    unread.some((column) => column.index === index && dueMeanings.includes(column.meaning))
  );
}

export function isModeColumn(profile: ColumnProfile | undefined): boolean {
  const values = profile?.values ?? [];
  return values.length > 0 && values.every(({ text }) => /^(?:none|collect)$/i.test(text));
}

export function constantPaths({ constants = [] }: GivenMapping): string[] {
  return constants.map(({ path }) => formatFieldPath(path));
}
