import type { Context } from '../../context.ts';
import { checkOrder } from '../../orders/check-order.ts';
import { FieldPathError, setField } from '../../orders/field-path.ts';
import type { IssueCode } from '../../orders/issue.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { Prompts } from '../../system/prompts.ts';
import { parseLine } from './draft.ts';

/**
 * Asks for the missing fields of the order, checks each answer at once, and sets the fields in `draft`. Returns the
 * answers as flags of the same command; none when nothing was missing.
 */
export async function askForMissing(
  draft: Order,
  prompts: Prompts,
  { clock, system }: Pick<Context, 'clock' | 'system'>,
  { checks }: { checks: boolean },
): Promise<string[]> {
  const today = clock.today();
  const issues = checkOrder(draft, { today, allRules: checks });
  const isMissing = (code: IssueCode) => issues.some((issue) => issue.code === code);
  const isComplete = !(
    ['external_order_id_missing', 'customer_missing', 'items_missing', 'collection_mode_missing'] as const
  ).some(isMissing);
  if (isComplete) return [];
  const flags: string[] = [];
  const ask = async ({ message, path, flag, required, preset }: Question) => {
    const check = (answer: string) => (answer === '' ? required : problemWith(path, answer, today));
    const answer = await prompts.text({ message, check, ...(preset === undefined ? {} : { preset }) });
    if (answer === '') return;
    setField(draft, path, answer);
    flags.push(flag, answer);
  };

  if (isMissing('external_order_id_missing')) {
    await ask({
      message: 'Your own order ID',
      path: ['externalOrderId'],
      flag: '--external-order-id',
      required: 'Please enter an order ID.',
      preset: proposeOrderId(today, system.randomUuid()),
    });
  }
  if (isMissing('customer_missing')) {
    await ask({
      message: 'Phone number of the customer',
      path: ['customer', 'phone'],
      flag: '--phone',
      required: 'Please enter the phone number.',
    });
  }
  if (isMissing('items_missing')) {
    const specs = await askLines(prompts);
    draft.items = specs.map(parseLine);
    flags.push(...specs.flatMap((spec) => ['--item', spec]));
  }
  if (isMissing('collection_mode_missing')) {
    const mode = await prompts.choose('Does the courier collect money?', [
      { value: 'NONE', name: 'No, it is prepaid' },
      { value: 'COLLECT', name: 'Yes, on delivery' },
    ]);
    draft.collectionMode = mode;
    if (mode === 'NONE') flags.push('--prepaid');
    else if (draft.collectionAmount !== undefined) flags.push('--set', 'collectionMode=COLLECT');
  }
  if (draft.collectionMode === 'COLLECT' && draft.collectionAmount === undefined) {
    await ask({
      message: 'Amount to collect',
      path: ['collectionAmount'],
      flag: '--collect',
      required: 'Please enter the amount.',
    });
  }
  if (draft.total === undefined) {
    await ask({ message: 'Total of the order (optional)', path: ['total'], flag: '--total' });
  }
  if (draft.requestedDeliveryDate === undefined) {
    await ask({
      message: 'Delivery date, YYYY-MM-DD (optional)',
      path: ['requestedDeliveryDate'],
      flag: '--delivery-date',
    });
  }
  return flags;
}

interface Question {
  message: string;
  path: string[];
  flag: string;
  /** What to say when the answer is blank; absent for an optional field. */
  required?: string;
  /** Used when the answer is blank. */
  preset?: string;
}

async function askLines(prompts: Prompts): Promise<string[]> {
  const specs: string[] = [];
  for (;;) {
    const isFirst = specs.length === 0;
    const spec = await prompts.text({
      message: isFirst
        ? 'Line 1: a SKU, or fields such as sku=TEA-001,quantity:=2'
        : `Line ${specs.length + 1} (press Enter when there are no more)`,
      check: (answer) => (answer === '' && !isFirst ? undefined : problemWithLine(answer)),
    });
    if (spec === '') return specs;
    specs.push(spec);
  }
}

function problemWithLine(spec: string): string | undefined {
  if (spec === '') return 'Please enter at least one line.';
  try {
    return problemOf({ items: [parseLine(spec)] }, 'items', '');
  } catch (error) {
    if (error instanceof FieldPathError) return error.message;
    throw error;
  }
}

/** The first error of this field alone. */
function problemWith(path: string[], answer: string, today: string): string | undefined {
  const probe: JsonObject = { collectionMode: 'COLLECT', collectionAmount: '1' };
  setField(probe, path, answer);
  return problemOf(probe, path.join('.'), today);
}

function problemOf(probe: JsonObject, path: string, today: string): string | undefined {
  const issue = checkOrder(probe, { today, allRules: true }).find(
    (found) => found.severity === 'error' && found.path.startsWith(path),
  );
  if (issue === undefined) return undefined;
  const problem = issue.problem.replace(/^(?=is |does )/, 'it ');
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}; ${issue.fix}.`;
}

/** A unique order id: the day and a part of a random UUID. */
function proposeOrderId(today: string, uuid: string): string {
  return `MO-${today.replaceAll('-', '')}-${uuid.slice(0, 8)}`;
}
