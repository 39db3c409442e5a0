import type { Context } from '../../context.ts';
import { checkOrder } from '../../orders/check-order.ts';
import { FieldPathError, setField } from '../../orders/field-path.ts';
import type { IssueCode } from '../../orders/issue.ts';
import type { JsonObject } from '../../orders/json.ts';
import type { Order } from '../../orders/order.ts';
import type { Prompts } from '../../system/prompts.ts';
import { parseLine } from './draft.ts';

type Asker = Pick<Context, 'clock' | 'system'>;

/**
 * Asks a person for what the order still lacks and puts the answers into it; each answer is checked as it comes.
 * Returns the answers as the flags that would have given them; none when nothing was asked.
 */
export async function askForMissing(
  draft: Order,
  prompts: Prompts,
  { clock, system }: Asker,
  { checks }: { checks: boolean },
): Promise<string[]> {
  const today = clock.today();
  const issues = checkOrder(draft, { today, allRules: checks });
  const lacks = (code: IssueCode) => issues.some((issue) => issue.code === code);
  const isComplete = !(
    ['external_order_id_missing', 'customer_missing', 'items_missing', 'collection_mode_missing'] as const
  ).some(lacks);
  if (isComplete) return [];
  const flags: string[] = [];
  const ask = async (message: string, path: string[], flag: string, preset?: string) => {
    const check = (answer: string) => problemWith(path, answer, today, preset === '');
    const answer = await prompts.text({ message, check, ...(preset === undefined ? {} : { preset }) });
    if (answer === '') return;
    setField(draft, path, answer);
    flags.push(flag, answer);
  };

  if (lacks('external_order_id_missing')) {
    const proposal = proposeOrderId(today, system.randomUuid());
    await ask('Your own order id', ['externalOrderId'], '--external-order-id', proposal);
  }
  if (lacks('customer_missing')) await ask('Phone of the customer', ['customer', 'phone'], '--phone');
  if (lacks('items_missing')) {
    const specs = await askLines(prompts);
    draft.items = specs.map(parseLine);
    flags.push(...specs.flatMap((spec) => ['--item', spec]));
  }
  if (lacks('collection_mode_missing')) {
    const mode = await prompts.choose('Does the courier collect money?', [
      { value: 'NONE', name: 'No, it is prepaid' },
      { value: 'COLLECT', name: 'Yes, on delivery' },
    ]);
    draft.collectionMode = mode;
    if (mode === 'NONE') flags.push('--prepaid');
    else if (draft.collectionAmount !== undefined) flags.push('--set', 'collectionMode=COLLECT');
  }
  if (draft.collectionMode === 'COLLECT' && draft.collectionAmount === undefined) {
    await ask('Amount to collect', ['collectionAmount'], '--collect');
  }
  if (draft.total === undefined) await ask('Total of the order (blank for none)', ['total'], '--total', '');
  if (draft.requestedDeliveryDate === undefined) {
    const message = 'Delivery date, YYYY-MM-DD (blank for none)';
    await ask(message, ['requestedDeliveryDate'], '--delivery-date', '');
  }
  return flags;
}

async function askLines(prompts: Prompts): Promise<string[]> {
  const specs: string[] = [];
  for (;;) {
    const isFirst = specs.length === 0;
    const spec = await prompts.text({
      message: isFirst
        ? 'Line 1: a SKU, or fields such as sku=TEA-001,quantity:=2'
        : `Line ${specs.length + 1} (blank when there are no more)`,
      check: (answer) => (answer === '' && !isFirst ? undefined : problemWithLine(answer)),
    });
    if (spec === '') return specs;
    specs.push(spec);
  }
}

function problemWithLine(spec: string): string | undefined {
  if (spec === '') return 'An order has at least one line.';
  try {
    return problemOf({ items: [parseLine(spec)] }, 'items', '');
  } catch (error) {
    if (error instanceof FieldPathError) return error.message;
    throw error;
  }
}

/** What the checks say about this one field when the order holds nothing else. */
function problemWith(path: string[], answer: string, today: string, mayBeBlank: boolean): string | undefined {
  if (answer === '') return mayBeBlank ? undefined : 'It is needed.';
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

/** An id that no other order has: the day, and a piece of a random UUID. */
function proposeOrderId(today: string, uuid: string): string {
  return `MO-${today.replaceAll('-', '')}-${uuid.slice(0, 8)}`;
}
