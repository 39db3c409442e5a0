import { type Say, type Typed, t } from '../../advice/advice.ts';
import { mentionsWord } from '../../api/responses/message-text.ts';
import { askForKey, storeKey } from '../../api-key.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Connection, Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { defaultPaths, type FieldPaths, unnamedFields } from '../../orders/unnamed-fields.ts';
import type { Dialogue } from './questions.ts';
import { lookUpAgain } from './unsettled.ts';
import { readUsedSkus } from './used-skus.ts';

/** `same`: the same order is sent again; `changed`: it is to be confirmed; `new_key`: with another key. */
type Next = 'same' | 'changed' | 'new_key';

interface FailedOrder {
  prompts: NonNullable<Context['prompts']>;
  connection: Connection;
  dialogue: Dialogue;
  /** As it was sent. */
  order: Order;
  fieldPaths: FieldPaths;
  /** The command that sends it again. */
  repeated: Typed;
  /** A key that the user gave belongs to one content. */
  hasOwnKey: boolean;
}

/** Asks how an order that was not created goes on. Only a rejection lets the user change it. Error: the failure. */
export async function goOnAfter(failure: CliError, context: Context, failed: FailedOrder): Promise<Next> {
  const { code, details } = failure;
  const { prompts } = failed;
  if (context.interruption.stopping.aborted) throw failure;
  if (isOfKey(failure)) return replaceKey(failure, context, failed);
  if (code === 'outcome_unknown') return goOnAfterUnknown(failure, context, failed);
  if (code === 'order_refused' && !failed.hasOwnKey) {
    context.print.note(inWords(rejectionText(failure, context.say), failed, context.say));
    // The words of the service may be in a language that the user does not read.
    const { serviceCode = '', hint = '' } = details;
    if ([...skuCodes, ambiguousPhone].includes(serviceCode)) context.print.note(hint);
    return (await askRejected(failure, context, failed)) ? 'changed' : leave(failure);
  }
  if (details.outcome !== 'not_sent' || !unsentCodes.includes(code)) throw failure;
  context.print.note(cleanCell(context.say(failure.sentence)));
  return (await prompts.confirm(t`Try again?`, true)) ? 'same' : leave(failure);
}

const unsentCodes: readonly string[] = ['unreachable', 'throttled', 'out_of_resources'];

function leave(failure: CliError): never {
  throw failure;
}

/** Another key may be accepted, or have the permission. */
function isOfKey({ code, cause }: CliError): boolean {
  const codes: readonly string[] = ['key_refused', 'permission_missing'];
  return codes.includes(code) || (cause instanceof CliError && codes.includes(cause.code));
}

async function goOnAfterUnknown(
  failure: CliError,
  context: Context,
  { prompts, connection, order }: FailedOrder,
): Promise<Next> {
  context.print.note(cleanCell(context.say(failure.sentence)));
  for (;;) {
    const chosen = await prompts.choose(
      t`What now?`,
      [
        { value: 'again', name: t`try the same order again; it is never created twice` },
        { value: 'look_up', name: t`look it up; nothing is sent` },
        { value: 'leave', name: t`leave it for now` },
      ],
      'again',
    );
    if (chosen === 'leave') throw failure;
    const isCreated =
      chosen === 'look_up' &&
      (await lookUpAgain(context, connection, textField(order, 'externalOrderId') ?? ''));
    // Sending what the ledger knows to be created only reads it.
    if (chosen === 'again' || isCreated) return 'same';
  }
}

/** For a key of the profile. Error: the failure, also when no key is accepted and stored. */
async function replaceKey(
  failure: CliError,
  context: Context,
  { prompts, connection, repeated }: FailedOrder,
): Promise<Next> {
  const { apiKey, profile } = await context.identity();
  const { baseUrl } = connection;
  if (apiKey?.source !== 'profile') {
    throw new CliError(failure.code, failure.sentence, {
      ...failure.details,
      hint: t`Set MERCHANT_ORDERS_API_KEY to a key that the service accepts, then run:\n  ${repeated}`,
    });
  }
  context.print.note(cleanCell(context.say(t`${failure.sentence} Nothing that you typed is lost.`)));
  try {
    const fresh = await askForKey(context, prompts, baseUrl);
    const { profiles } = await context.profiles.read();
    await storeKey(context, profile, profiles[profile]?.baseUrl ?? baseUrl, fresh);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.print.note(cleanCell(context.say(error.sentence)));
    throw failure;
  }
  return 'new_key';
}

const ambiguousPhone = 'CUSTOMER_PHONE_AMBIGUOUS';
const skuCodes = ['PRODUCT_SKU_NOT_FOUND', 'PRODUCT_SKU_INACTIVE'];

/** The words of the service, and each field that they do not name. */
function rejectionText({ sentence, details }: CliError, say: Say): string {
  const issues = details.hasShownIssues ? [] : (details.issues ?? []);
  return [say(sentence), ...issues.map(({ path, message }) => `  ${path}: ${say(message)}`)]
    .map(cleanCell)
    .join('\n');
}

/** Asks for the fields that the service names, or which one is to be changed. False if none is. */
async function askRejected(
  failure: CliError,
  context: Context,
  { connection, dialogue, order, fieldPaths }: FailedOrder,
): Promise<boolean> {
  const usedSkus = await readUsedSkus(context, connection);
  const paths = rejectedPaths(failure, order, { fieldPaths, fields: dialogue.fields });
  await dialogue.askAgain(paths, usedSkus);
  return paths.length > 0 || dialogue.change();
}

type Naming = Pick<Dialogue, 'fields'> & Pick<FailedOrder, 'fieldPaths'>;

function rejectedPaths({ message, details }: CliError, order: Order, naming: Naming): string[] {
  const { serviceCode = '', issues = [] } = details;
  if (serviceCode === ambiguousPhone) return ['customer.externalCustomerId'];
  const named = issues.flatMap(({ path }) => askedPath(path, order, naming) ?? []);
  const found = skuCodes.includes(serviceCode) ? named.filter((path) => path.startsWith('items[')) : named;
  if (found.length === 0 && skuCodes.includes(serviceCode)) return skusIn(message, order);
  return [...new Set(found)];
}

/** The field, or the field of an item, that a path of a response means, such as `/body/items/0/sku`. */
function askedPath(path: string, order: Order, { fieldPaths, fields }: Naming): string | undefined {
  const dotted = path
    .replace(/^\//, '')
    .replaceAll('/', '.')
    .replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  const ofItem = dotted.slice(Math.max(0, `.${dotted}`.indexOf('.items[')));
  const item = /^items\[(\d+)\]/.exec(ofItem);
  if (item !== null) return orderLines(order)[Number(item[1])] === undefined ? undefined : ofItem;
  const lines = orderLines(order).length;
  if (dotted === 'sku') return lines === 1 ? 'items[0].sku' : 'items';
  const isMeant = (known: string) =>
    dotted === known || dotted.endsWith(`.${known}`) || known.endsWith(`.${dotted}`);
  return fields.find((field) => isMeant(sentAs(field.path, fieldPaths)))?.path;
}

/** The items whose SKU the service repeats, or the only one. */
function skusIn(message: string, order: Order): string[] {
  const skus = orderLines(order).flatMap((line, index) => {
    const sku = textField(line, 'sku');
    return sku === undefined ? [] : [{ sku, path: `items[${index}].sku` }];
  });
  const named = skus.filter(({ sku }) => mentionsWord(message, sku));
  return (named.length === 0 && skus.length === 1 ? skus : named).map(({ path }) => path);
}

function sentAs(path: string, fieldPaths: FieldPaths): string {
  const field = unnamedFields.find((name) => defaultPaths[name] === path);
  return field === undefined ? path : fieldPaths[field];
}

/** The text with the names of the prompts for the paths of the service: `item 1` for `items[0].sku`. */
function inWords(text: string, { fieldPaths, dialogue }: FailedOrder, say: Say): string {
  const names = dialogue.fields
    .filter(({ path }) => path !== 'items' && path !== 'deliveryAddress')
    .map(({ path, name }) => ({ path: sentAs(path, fieldPaths), name: say(name).replace(/^the /, '') }))
    .sort((one, other) => other.path.length - one.path.length);
  const named = names.reduce((words, { path, name }) => words.replaceAll(path, name), text);
  return named.replaceAll(/items\[(\d{1,3})\](?:\.(\w+))?/g, (_, index: string, field = 'sku') => {
    const number = Number(index) + 1;
    return say(field === 'sku' ? t`item ${number}` : t`${field} of item ${number}`);
  });
}
