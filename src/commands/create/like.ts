import { advice, command, t } from '../../advice/advice.ts';
import { findOrder } from '../../api/operations/find.ts';
import { nameOf } from '../../api/responses/order.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { readPaths } from '../../fields/field-paths.ts';
import { parseAssignment } from '../../orders/assignment.ts';
import { formatFieldPath, parseFieldPath, readEach, setField } from '../../orders/field-path.ts';
import { isJsonObject, type Json } from '../../orders/json.ts';
import { type Order, orderLines, phoneOf } from '../../orders/order.ts';
import { isPhoneLike, isSamePhone } from '../../orders/phone.ts';
import { defaultPaths, type FieldPaths, unnamedFields } from '../../orders/unnamed-fields.ts';
import { formatOrder } from '../../output/order-view.ts';
import type { DraftFlags } from './draft.ts';

interface LikeFlags extends DraftFlags {
  dryRun?: boolean;
}

/**
 * An order with the phone, the items, the address and the note of an earlier one where no flags give them; never what is
 * collected, the total, the date or the ID. Errors: `usage`, those of finding it.
 */
export async function orderLike(context: Context, flags: LikeFlags, reference: string): Promise<Order> {
  const { print, prompts, say } = context;
  checkUsable(flags, prompts !== undefined);
  const fieldPaths = await readPaths(context);
  await using connection = await context.connect();
  const found = await findOrder(connection.client, reference);
  const { order, leftOut } = copyOrder(found.order, flags, fieldPaths);
  print.note(t`As in ${cleanCell(nameOf(found))}:`);
  print.note(formatOrder(order, 'create', { say }));
  if (leftOut.length > 0)
    print.note(t`Left out, as it is not known what they mean: ${cleanCell(leftOut.join(', '))}`);
  print.note('');
  return order;
}

/** Error: `usage`. */
function checkUsable({ dryRun, file }: LikeFlags, canAsk: boolean): void {
  const other = dryRun ? '--dry-run' : '--file';
  if (canAsk && !dryRun && file === undefined) return;
  const sentence = canAsk
    ? `--like and ${other} cannot be used together.`
    : '--like asks for the rest of the order, and the program cannot ask questions here.';
  throw new CliError('usage', `${sentence} Nothing was sent.`, {
    hint: canAsk ? 'Remove one of them.' : advice`Name every field: ${command('create', '--help')}`,
  });
}

/** `order` has the fields at their default paths; `leftOut`: paths without a known path. */
function copyOrder(
  found: Order,
  flags: LikeFlags,
  fieldPaths: FieldPaths,
): { order: Order; leftOut: string[] } {
  const order: Order = {};
  const taken = new Set(['items[].sku']);
  const phone = phoneOf(found);
  const canUsePhone = phone !== undefined && isPhoneLike(phone);
  if (canUsePhone) taken.add('customer.phone');
  if (canUsePhone && flags.phone === undefined) setField(order, ['customer', 'phone'], phone);
  // The address of one customer is not that of another.
  const isSame = flags.phone === undefined || (canUsePhone && isSamePhone(phone, flags.phone));
  const given = new Set((flags.set ?? []).map((text) => formatFieldPath(parseAssignment(text).path)));
  const copy = (from: string, to: string) => {
    taken.add(from);
    const path = parseFieldPath(to);
    for (const [line, value] of readEach(found, parseFieldPath(from)).entries()) {
      if (isFilled(value) && !given.has(to)) setField(order, path, value, line);
    }
  };
  if (flags.item === undefined) copy('items[].sku', 'items[].sku');
  for (const field of unnamedFields) {
    const isOfLine = defaultPaths[field].startsWith('items');
    if (isOfLine ? flags.item === undefined : isSame) copy(fieldPaths[field], defaultPaths[field]);
    else taken.add(fieldPaths[field]);
  }
  const items = orderLines(order);
  // An item of which nothing is known cannot be ordered again, so all are asked for.
  const isWhole = items.length === orderLines(found).length && items.every((line) => !isEmpty(line));
  if (!isWhole) delete order.items;
  const unknown = pathsOf(found, '').filter((path) => !taken.has(path) && !isOfOneOrder(path));
  return { order, leftOut: [...new Set([...(isWhole ? [] : ['items']), ...unknown])] };
}

function isFilled(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== '';
}

function isEmpty(line: Json): boolean {
  return isJsonObject(line) && Object.keys(line).length === 0;
}

/** Belong to that order alone: set by the service, or asked for again. */
function isOfOneOrder(path: string): boolean {
  return /^(?:id|orderNumber|externalOrderId|status|currency|delivery|collectionMode|collectionAmount|total|requestedDeliveryDate|customer\.(?:id|phone|externalCustomerId))(?:[.[]|$)|^(?:created|updated|cancel)/.test(
    path,
  );
}

/** Of all values, with `[]` for a place in a list. */
function pathsOf(value: Json, path: string): string[] {
  if (!isFilled(value)) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    pathsOf(inner, path === '' ? name : `${path}.${name}`),
  );
}
