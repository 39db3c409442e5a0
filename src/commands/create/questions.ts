import { distance } from 'fastest-levenshtein';
import { type Sentence, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { readTypedDate } from '../../import/words/typed-date.ts';
import type { SentOrder } from '../../ledger/order-log.ts';
import { formatAmount } from '../../orders/decimal.ts';
import { readField, removeField, setField } from '../../orders/field-path.ts';
import { isError } from '../../orders/issue.ts';
import { isJsonObject, type JsonObject } from '../../orders/json.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { findIssues } from '../../orders/order-schemas.ts';
import { defaultPaths, fieldNames, type UnnamedField, unnamedFields } from '../../orders/unnamed-fields.ts';
import { addressFields } from '../../output/order-view.ts';
import { describeDay } from '../../output/times.ts';
import { readYesNo, yesNoProblem } from '../../words/yes-no.ts';
import { askLineAgain, askLines } from './items.ts';
import {
  amountWarning,
  dateWarning,
  issueOfValue,
  readAmount,
  saysNothingCollected,
  sentenceOf,
} from './typed-values.ts';
import { chooseUnsettled } from './unsettled.ts';
import { formatUsedSkus, otherAlphabet, usedLookAlike } from './used-skus.ts';

export type Dialogue = ReturnType<typeof createDialogue>;

interface Suggestions {
  usedSkus: readonly string[];
  /** The new order may be one of these, typed again. */
  unsettled: readonly SentOrder[];
  /** What is known of the customer with this phone. */
  lookUpCustomer(phone: string): Promise<Customer | undefined>;
}

interface Customer {
  /** Shown above the next question. */
  text: Text;
  /** Of the last order; empty if it has none that is known. */
  address: ReadonlyMap<UnnamedField, string>;
}

const needed = [
  'external_order_id_missing',
  'customer_missing',
  'items_missing',
  'collection_mode_missing',
] as const;

/** A field as a question. */
interface Field {
  name: Sentence;
  path: string;
  /** Absent when it is asked otherwise than as one text. */
  message?: Text;
  /** The question when Enter keeps the answer of before, and `-` takes it away. */
  clearing?: Text;
  /** The message for a blank answer; absent for an optional field. */
  required?: Text;
  preset?(): string | undefined;
  read?(text: string, today: string): string | { problem: Text };
  /** Whether an answer leaves the question without a value. */
  isLeft?(text: string): boolean;
  /** Beyond the warnings of the checks. */
  warningAbout?(value: string, today: string): Text | undefined;
  /** Shows the value for confirmation if it was typed in another form. */
  describe?(value: string): Text;
  /** What was typed, without marks that change nothing. */
  plainForm?(typed: string): string;
  applies?(): boolean;
  isMissing?(): boolean;
  /** Follows an answer. */
  follow?(value: string | undefined, before: string | undefined): Promise<void> | undefined;
  ask?(): Promise<void>;
}

const same = (text: string) => text;
const never = () => false;
const customerId = 'customer.externalCustomerId';

const amount = {
  read: readAmount,
  warningAbout: amountWarning,
  describe: formatAmount,
  // The last question shows the amount again.
  plainForm: (typed: string) => typed.replaceAll(/[,\s'’₮]/g, ''),
};

const ofAddress: readonly Field[] = [
  {
    path: defaultPaths['address.city'],
    name: fieldNames['address.city'],
    message: t`Delivery address: city (optional)`,
    clearing: t`Delivery address: city (- for none)`,
  },
  {
    path: defaultPaths['address.district'],
    name: fieldNames['address.district'],
    message: t`Delivery address: district (optional)`,
    clearing: t`Delivery address: district (- for none)`,
  },
  {
    path: defaultPaths['address.street'],
    name: fieldNames['address.street'],
    message: t`Delivery address: street, building, door (optional)`,
    clearing: t`Delivery address: street, building, door (- for none)`,
  },
];
const addressAndNote: readonly Field[] = [
  ...ofAddress,
  {
    path: defaultPaths.note,
    name: fieldNames.note,
    message: t`Note for the courier (optional)`,
    clearing: t`Note for the courier (- for none)`,
  },
];

const collected: Field = {
  name: t`the amount to collect`,
  path: 'collectionAmount',
  message: t`How much does the courier collect?`,
  required: t`Please enter the amount.`,
  isLeft: saysNothingCollected,
  ...amount,
};

const totalAndDate: readonly Field[] = [
  {
    name: t`the total`,
    path: 'total',
    message: t`Total of the order (optional)`,
    clearing: t`Total of the order (- for none)`,
    ...amount,
  },
  {
    name: t`the delivery date`,
    path: 'requestedDeliveryDate',
    message: t`Delivery date (optional), such as tomorrow, friday or 25 Dec`,
    clearing: t`Delivery date (- for none), such as tomorrow, friday or 25 Dec`,
    read: readTypedDate,
    warningAbout: dateWarning,
    describe: describeDay,
  },
];

export function createDialogue(
  draft: Order,
  prompts: NonNullable<Context['prompts']>,
  { clock, system, print, say }: Pick<Context, 'clock' | 'system' | 'print' | 'say'>,
  { allRules }: { allRules: boolean },
) {
  const today = clock.today();
  /** The paths of the fields that answers filled or took away. */
  const answered = new Set<string>();
  const missing = new Set(findIssues(draft, { today, allRules }).map(({ code }) => code));
  let suggestions: Suggestions = { usedSkus: [], unsettled: [], lookUpCustomer: async () => undefined };
  let customer: Customer | undefined;
  let isAddressSettled = false;
  /** Whose last order has the address. */
  let addressOf: string | undefined;
  const isComplete = !needed.some((code) => missing.has(code));

  const textAt = (path: string) => {
    const value = readField(draft, path.split('.'));
    return typeof value === 'string' ? value : undefined;
  };
  const has = (path: string) => readField(draft, path.split('.')) !== undefined;
  const set = (path: string, value: string | undefined) => {
    if (value !== undefined) setField(draft, path.split('.'), value);
    else if (!has(path)) return;
    else removeField(draft, path.split('.'));
    answered.add(path);
  };

  /** Repeats until the answer is valid, or confirmed in spite of a warning; undefined for a blank one or `isLeft`. */
  const askText = async (field: Field, before: string | undefined): Promise<string | undefined> => {
    const { path, required, clearing, read = same } = field;
    const isCleared = clearing !== undefined && before !== undefined;
    const isLeft = isCleared ? (text: string) => text === '-' : (field.isLeft ?? never);
    const check = (answer: string) => {
      if (answer === '') return required;
      if (isLeft(answer)) return undefined;
      const value = read(answer, today);
      if (typeof value !== 'string') return value.problem;
      const issue = issueOfValue(path, value, today);
      return issue && isError(issue) ? sentenceOf(issue, value) : undefined;
    };
    const message = (isCleared ? clearing : field.message) ?? '';
    const answer = await prompts.text({ message, check, preset: before });
    if (answer === '' || isLeft(answer)) return undefined;
    const value = read(answer, today) as string;
    return (await isRight(field, value, answer)) ? value : askText(field, before);
  };
  const isRight = async (
    { path, warningAbout, describe = same, plainForm = same }: Field,
    value: string,
    typed: string,
  ) => {
    const shown = value === typed ? value : describe(value);
    const warning = issueOfValue(path, value, today);
    const sentence = warning === undefined ? warningAbout?.(value, today) : sentenceOf(warning, say(shown));
    if (sentence !== undefined) return prompts.confirm(t`${sentence} Is it right?`, false, 'correct');
    return value === plainForm(typed) || prompts.confirm(t`${shown}?`, true, 'correct');
  };
  const ask = async (field: Field, preset = field.preset?.()): Promise<void> => {
    if (field.ask !== undefined) return field.ask();
    const before = textAt(field.path);
    const value = await askText(field, preset);
    set(field.path, value);
    await field.follow?.(value, before);
  };
  const askPath = async (path: string, preset = textAt(path)) => {
    const field = fields.find((one) => one.path === path);
    if (field !== undefined) await ask(field, preset);
  };

  /** An amount as the answer means yes. */
  const askCollection = async (): Promise<void> => {
    const answer = await prompts.text({
      message: t`Does the courier collect money? (yes or no)`,
      check: (text) =>
        readYesNo(text, 'collect') === undefined && typeof readAmount(text) !== 'string'
          ? yesNoProblem
          : undefined,
    });
    const isPrepaid = saysNothingCollected(answer);
    const isAmount = !isPrepaid && readYesNo(answer, 'collect') === undefined;
    const typed = isAmount ? (readAmount(answer) as string) : undefined;
    if (typed !== undefined && !(await isRight(collected, typed, answer))) return askCollection();
    delete draft.collectionAmount;
    set('collectionMode', isPrepaid ? 'NONE' : 'COLLECT');
    if (typed !== undefined) set(collected.path, typed);
    else if (!isPrepaid) await askPath(collected.path);
  };

  const setItems = (items: JsonObject[]) => {
    draft.items = items;
    answered.add('items');
  };
  const showSkus = (skus: readonly string[], label: Text) => {
    if (skus.length > 0) print.note(formatUsedSkus(skus, system.terminal.width, say(label)));
  };
  const askItem = async (line: JsonObject, isOfSku: boolean, usedSkus: readonly string[]) => {
    const items = linesOf(draft);
    const index = items.indexOf(line);
    if (index < 0) return;
    const sku = textField(line, 'sku') ?? '';
    const used = isOfSku ? usedLookAlike(sku, usedSkus) : undefined;
    if (used !== undefined) print.note(otherAlphabet(sku, used));
    else if (isOfSku) showSkus(nearSkus(sku, usedSkus), t`Codes like it, used before:`);
    const options = { number: index + 1, mayBeLeftOut: items.length > 1, usedSkus };
    const proposed = used === undefined ? line : { ...line, sku: used };
    const kept = await askLineAgain(prompts, proposed, options);
    setItems(kept === undefined ? items.toSpliced(index, 1) : items.with(index, kept));
  };

  const setAddress = (address: ReadonlyMap<UnnamedField, string>) => {
    for (const field of addressFields) set(defaultPaths[field], address.get(field));
  };
  const askAddress = async () => {
    isAddressSettled = true;
    const address = customer?.address ?? new Map();
    if (address.size > 0) {
      const last = cleanCell([...address.values()].join(', '));
      if (await prompts.confirm(t`Deliver to ${last}, as last time?`, true)) {
        addressOf = textAt('customer.phone');
        return setAddress(address);
      }
    }
    if (addressOf !== undefined) setAddress(new Map());
    addressOf = undefined;
    for (const field of ofAddress) await ask(field);
  };
  const hasKnownAddress = () => (customer?.address.size ?? 0) > 0;
  const showCustomer = async (phone: string) => {
    customer = await suggestions.lookUpCustomer(phone);
    if (customer !== undefined) print.note(customer.text);
  };

  const fields: readonly Field[] = [
    {
      name: t`the phone number`,
      path: 'customer.phone',
      message: t`Phone number of the customer`,
      required: t`Please enter the phone number.`,
      isMissing: () => missing.has('customer_missing'),
      follow: async (phone, before) => {
        if (phone === undefined || phone === before) return;
        // Both were those of the customer with the other number.
        if (answered.has(customerId)) set(customerId, undefined);
        await showCustomer(phone);
        if (addressOf !== undefined) await askAddress();
      },
    },
    {
      name: t`your own ID of the customer`,
      path: customerId,
      message: t`Your own ID of this customer, as used before (Enter to change the phone number instead)`,
      applies: () => has(customerId),
      isMissing: never,
      follow: (id) => (id === undefined ? askPath('customer.phone') : undefined),
    },
    {
      name: t`the items`,
      path: 'items',
      isMissing: () => missing.has('items_missing'),
      ask: async () => {
        showSkus(suggestions.usedSkus, t`Codes used before:`);
        setItems(await askLines(prompts, suggestions.usedSkus, linesOf(draft)));
      },
    },
    {
      name: t`the address, as in the last order`,
      path: 'deliveryAddress',
      applies: hasKnownAddress,
      isMissing: () => hasKnownAddress() && !ofAddress.some(({ path }) => has(path)),
      ask: askAddress,
    },
    ...addressAndNote,
    {
      name: t`what the courier collects`,
      path: 'collectionMode',
      isMissing: () => missing.has('collection_mode_missing'),
      ask: askCollection,
    },
    {
      ...collected,
      applies: () => draft.collectionMode === 'COLLECT',
      follow: (value) => (value === undefined ? askCollection() : undefined),
    },
    ...totalAndDate,
    {
      name: t`your order ID`,
      path: 'externalOrderId',
      message: t`Your own order ID`,
      required: t`Please enter an order ID.`,
      preset: () => textAt('externalOrderId') ?? proposeOrderId(today, system.randomUuid()),
      warningAbout: (id) =>
        readYesNo(id) === undefined ? undefined : t`The order would have the ID "${id}".`,
    },
  ];
  const isMissing = (field: Field) => {
    if (field.isMissing !== undefined) return field.isMissing();
    const isSettled = (isAddressSettled || has(defaultPaths['address.street'])) && ofAddress.includes(field);
    return field.applies?.() !== false && !isSettled && !has(field.path);
  };

  return {
    /** Has everything that every order needs. */
    isComplete,
    /** Those that the interface does not name and an answer filled. */
    assumedFields: (): UnnamedField[] => [
      ...(answered.has('items') ? (['quantity'] as const) : []),
      ...unnamedFields.filter((field) => answered.has(defaultPaths[field])),
    ],
    /** Optional fields included. */
    askMissing: async (given: Suggestions) => {
      suggestions = given;
      if (missing.has('external_order_id_missing')) {
        const again = await chooseUnsettled(prompts, suggestions.unsettled, clock.now());
        if (again !== undefined) set('externalOrderId', again);
      }
      const phone = textAt('customer.phone');
      if (phone !== undefined) await showCustomer(phone);
      for (const field of fields) if (isMissing(field)) await ask(field);
    },
    /** Returns false if no answer is to be changed. */
    change: async () => {
      const choices = fields.flatMap(({ name, path, applies }) =>
        applies?.() === false ? [] : [{ value: path, name }],
      );
      const chosen = await prompts.choose(t`What do you want to change?`, [
        ...choices,
        { value: 'back', name: t`nothing: show the order again` },
        { value: 'none', name: t`stop: do not create this order` },
      ]);
      await askPath(chosen);
      return chosen !== 'none';
    },
    /** The fields that can be asked again, and what they are called. */
    fields,
    /** Asks for these fields again and keeps the others. `paths`: of these, or of fields of items. */
    askAgain: async (paths: readonly string[], usedSkus: readonly string[]) => {
      // One that is left out moves those after it.
      const lines = linesOf(draft);
      for (const path of paths) {
        const line = lines[Number(/^items\[(\d+)\]/.exec(path)?.[1])];
        if (line === undefined) await askPath(path);
        else await askItem(line, path.endsWith('.sku'), usedSkus);
      }
    },
    /** Whether an answer is in the order. */
    hasAnswers: () => answered.size > 0,
  };
}

function linesOf(draft: Order): JsonObject[] {
  return orderLines(draft).filter(isJsonObject);
}

function proposeOrderId(today: string, uuid: string): string {
  return `MO-${today.replaceAll('-', '')}-${uuid.slice(0, 8)}`;
}

const maxNear = 3;

function nearSkus(sku: string, usedSkus: readonly string[]): string[] {
  const typed = sku.toUpperCase();
  const limit = Math.max(2, Math.floor(typed.length / 3));
  return usedSkus
    .filter((used) => used !== sku)
    .map((used) => ({ used, away: distance(typed, used.toUpperCase()) }))
    .filter(({ away }) => away <= limit)
    .sort((one, other) => one.away - other.away)
    .slice(0, maxNear)
    .map(({ used }) => used);
}
