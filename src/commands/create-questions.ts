import type { Context } from '../context.ts';
import { checkOrder } from '../orders/check-order.ts';
import { FieldPathError, setField } from '../orders/field-path.ts';
import type { IssueCode } from '../orders/issue.ts';
import type { JsonObject } from '../orders/json.ts';
import type { Order } from '../orders/order.ts';
import type { Prompts } from '../system/prompts.ts';
import { parseLine } from './create-draft.ts';

type Asker = Pick<Context, 'clock' | 'system'>;

/**
 * Asks a person for what the order still lacks and puts the answers into it; each answer is checked as it comes.
 * True when anything was asked.
 */
export async function askForMissing(
  draft: Order,
  prompts: Prompts,
  { clock, system }: Asker,
  { withoutOwnId, checks }: { withoutOwnId?: boolean; checks: boolean },
): Promise<boolean> {
  const today = clock.today();
  const issues = checkOrder(draft, { today, needsOwnId: !withoutOwnId, allRules: checks });
  const lacks = (code: IssueCode) => issues.some((issue) => issue.code === code);
  const ask = (message: string, path: string[], preset?: string) =>
    prompts
      .text({
        message,
        ...(preset === undefined ? {} : { preset }),
        check: (answer) => problemWith(path, answer, today, preset === ''),
      })
      .then((answer) => (answer === '' ? undefined : setField(draft, path, answer)));

  const isAsking = (
    ['external_order_id_missing', 'customer_missing', 'items_missing', 'collection_mode_missing'] as const
  ).some(lacks);
  if (!isAsking) return false;
  if (lacks('external_order_id_missing')) {
    await ask('Your own order id', ['externalOrderId'], proposeOrderId(today, system.randomUuid()));
  }
  if (lacks('customer_missing')) await ask('Phone of the customer', ['customer', 'phone']);
  if (lacks('items_missing')) draft.items = await askLines(prompts);
  if (lacks('collection_mode_missing')) {
    draft.collectionMode = await prompts.choose('Does the courier collect money?', [
      { value: 'NONE', name: 'No, it is prepaid' },
      { value: 'COLLECT', name: 'Yes, on delivery' },
    ]);
  }
  if (draft.collectionMode === 'COLLECT' && draft.collectionAmount === undefined) {
    await ask('Amount to collect', ['collectionAmount']);
  }
  if (draft.total === undefined) await ask('Total of the order (blank for none)', ['total'], '');
  if (draft.requestedDeliveryDate === undefined) {
    await ask('Delivery date, YYYY-MM-DD (blank for none)', ['requestedDeliveryDate'], '');
  }
  return true;
}

async function askLines(prompts: Prompts): Promise<JsonObject[]> {
  const lines: JsonObject[] = [];
  for (;;) {
    const isFirst = lines.length === 0;
    const spec = await prompts.text({
      message: isFirst
        ? 'Line 1: a SKU, or fields such as sku=TEA-001,quantity:=2'
        : `Line ${lines.length + 1} (blank when there are no more)`,
      check: (answer) => (answer === '' && !isFirst ? undefined : problemWithLine(answer)),
    });
    if (spec === '') return lines;
    lines.push(parseLine(spec));
  }
}

function problemWithLine(spec: string): string | undefined {
  if (spec === '') return 'An order has at least one line.';
  try {
    parseLine(spec);
    return undefined;
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
  const name = path.join('.');
  const issue = checkOrder(probe, { today, needsOwnId: false, allRules: true }).find(
    ({ path: where, severity }) => severity === 'error' && where === name,
  );
  return issue && `${issue.problem}; ${issue.fix}`;
}

/** An id that no other order has: the day, and a piece of a random UUID. */
function proposeOrderId(today: string, uuid: string): string {
  return `MO-${today.replaceAll('-', '')}-${uuid.slice(0, 8)}`;
}
