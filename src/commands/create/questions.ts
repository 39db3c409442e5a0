import { distance } from 'fastest-levenshtein';
import { type Sentence, type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { readTypedDate } from '../../import/words/typed-date.ts';
import { readYesNo, yesNoProblem } from '../../import/words/yes-no.ts';
import type { SentOrder } from '../../ledger/order-log.ts';
import { readField, removeField, setField } from '../../orders/field-path.ts';
import { isJsonObject, type JsonObject, member } from '../../orders/json.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { findIssues } from '../../orders/order-schemas.ts';
import { defaultPlaces, fieldNames, type UnnamedField, unnamedFields } from '../../orders/unnamed-fields.ts';
import { formatAmount } from '../../output/amount.ts';
import { addressFields } from '../../output/order-view.ts';
import { describeDay } from '../../output/times.ts';
import {
  doubtAboutAmount,
  doubtAboutDate,
  errorOf,
  issuesOf,
  readAmount,
  saysNothingCollected,
  sentenceOf,
} from './answers.ts';
import { parseLine } from './draft.ts';
import { askLine, askLines } from './items.ts';
import { chooseUnsettled } from './unsettled.ts';
import { formatUsedSkus } from './used-skus.ts';

export interface Dialogue {
  /** Has everything that every order needs. */
  isComplete: boolean;
  /** Optional fields included. */
  askMissing(offers: Offers): Promise<void>;
  /** Returns false if no answer is to be changed. */
  change(): Promise<boolean>;
  /** The fields that can be asked again, and what they are called. */
  topics: readonly AskedField[];
  /** Asks for one field again and keeps the others. `path`: of a topic, or of a field of an item. */
  askAgain(path: string, usedSkus: readonly string[]): Promise<void>;
  /** Those that the interface does not name and an answer filled. */
  assumedFields(): UnnamedField[];
  /** Whether an answer is in the order. */
  hasAnswers(): boolean;
}

export interface AskedField {
  path: string;
  name: Sentence;
}

interface Offers {
  usedSkus: readonly string[];
  /** The new order may be one of these, typed again. */
  unsettled: readonly SentOrder[];
  /** What is known of the customer with this phone. */
  meet(phone: string): Promise<Customer | undefined>;
}

export interface Customer {
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

interface Topic {
  name: Sentence;
  path: string;
  isMissing(): boolean;
  applies?(): boolean;
  /** `today`: the answer that a required field has now. */
  ask(today?: string): Promise<void>;
}

export function createDialogue(
  draft: Order,
  prompts: NonNullable<Context['prompts']>,
  { clock, system, print, say }: Pick<Context, 'clock' | 'system' | 'print' | 'say'>,
  { allRules }: { allRules: boolean },
): Dialogue {
  const today = clock.today();
  /** The paths of the fields that answers filled or took away. */
  const answered = new Set<string>();
  const missing = new Set(findIssues(draft, { today, allRules }).map(({ code }) => code));
  let offers: Offers = { usedSkus: [], unsettled: [], meet: async () => undefined };
  let customer: Customer | undefined;
  let isAddressSettled = false;
  /** Whose last order has the address. */
  let addressOf: string | undefined;
  const isComplete = !needed.some((code) => missing.has(code));

  /** Repeats until the answer is valid, or confirmed although doubtful; undefined for a blank one or `isLeft`. */
  const askText = async (question: TextQuestion) => {
    const { message, path, required, preset, read = same, isLeft = never } = question;
    for (;;) {
      const check = (answer: string) => {
        if (answer === '') return required;
        if (isLeft(answer)) return undefined;
        const value = read(answer, today);
        return typeof value === 'string' ? errorOf(path.split('.'), value, today) : value.problem;
      };
      const answer = await prompts.text({ message, check, ...(preset === undefined ? {} : { preset }) });
      if (answer === '' || isLeft(answer)) return undefined;
      const value = read(answer, today) as string;
      if (await isRight(question, value, answer)) return value;
    }
  };
  const isRight = async (
    { path, doubtAbout, describe = same, plainForm = same }: TextQuestion,
    value: string,
    typed: string,
  ) => {
    const shown = value === typed ? value : describe(value);
    const warning = issuesOf(path.split('.'), value, today).find(({ severity }) => severity === 'warning');
    const doubt = warning === undefined ? doubtAbout?.(value, today) : sentenceOf(warning, say(shown));
    if (doubt !== undefined) return prompts.confirm(t`${doubt} Is it right?`, false, 'correct');
    return value === plainForm(typed) || prompts.confirm(t`${shown}?`, true, 'correct');
  };
  const set = (path: string, value: string | undefined) => {
    const segments = path.split('.');
    if (value !== undefined) setField(draft, segments, value);
    else if (readField(draft, segments) === undefined) return;
    else removeField(draft, segments);
    answered.add(path);
  };
  const askOptional = async ({ messages, ...question }: OptionalField, before: string | undefined) =>
    set(question.path, await askText({ ...question, ...clearable(messages, before) }));

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
    const amount = isAmount ? (readAmount(answer) as string) : undefined;
    if (amount !== undefined && !(await isRight(collected, amount, answer))) return askCollection();
    delete draft.collectionAmount;
    set('collectionMode', isPrepaid ? 'NONE' : 'COLLECT');
    if (amount !== undefined) set(collected.path, amount);
    else if (!isPrepaid) await askAmount();
  };
  const askAmount = async (today?: string): Promise<void> => {
    const amount = await askText({ ...collected, preset: today });
    return amount === undefined ? askCollection() : set(collected.path, amount);
  };

  const setItems = (items: JsonObject[]) => {
    draft.items = items;
    answered.add('items');
  };
  const askItem = async (index: number, isOfSku: boolean, usedSkus: readonly string[]) => {
    const items = orderLines(draft).filter(isJsonObject);
    const line = items[index] ?? {};
    const isOnly = items.length === 1;
    const number = index + 1;
    const near = isOfSku ? nearSkus(textField(line, 'sku') ?? '', usedSkus) : [];
    if (near.length > 0)
      print.note(formatUsedSkus(near, system.terminal.width, say(t`Codes like it, used before:`)));
    const shown = isOnly
      ? t`Product code (SKU) of item ${number}`
      : t`Product code (SKU) of item ${number} (Enter leaves this item out)`;
    const typed = await askLine(prompts, shown, usedSkus, !isOnly);
    if (typed === undefined) return setItems(items.toSpliced(index, 1));
    const fresh = parseLine(typed.spec);
    setItems(items.with(index, typed.isWhole ? fresh : { ...line, ...fresh }));
  };

  const setAddress = (address: ReadonlyMap<UnnamedField, string>) => {
    for (const field of addressFields) set(defaultPlaces[field], address.get(field));
  };
  const hasKnownAddress = () => (customer?.address.size ?? 0) > 0;
  const askAddress = async () => {
    isAddressSettled = true;
    const address = customer?.address ?? new Map();
    if (address.size > 0) {
      const last = cleanCell([...address.values()].join(', '));
      if (await prompts.confirm(t`Deliver to ${last}, as last time?`, true)) {
        addressOf = textField(member(draft, 'customer'), 'phone');
        return setAddress(address);
      }
    }
    if (addressOf !== undefined) setAddress(new Map());
    addressOf = undefined;
    for (const topic of addressTopics) await topic.ask();
  };
  const meet = async (phone: string) => {
    customer = await offers.meet(phone);
    if (customer !== undefined) print.note(customer.text);
  };
  const askPhone = async (today?: string) => {
    const before = textField(member(draft, 'customer'), 'phone');
    const phone = await askText({
      message: t`Phone number of the customer`,
      path: 'customer.phone',
      required: t`Please enter the phone number.`,
      preset: today,
    });
    set('customer.phone', phone);
    if (phone === undefined || phone === before) return;
    // Both were those of the customer with the other number.
    if (answered.has(customerId)) set(customerId, undefined);
    await meet(phone);
    if (addressOf !== undefined) await askAddress();
  };
  const askCustomerId = async () => {
    const id = await askText({
      message: t`Your own ID of this customer, as used before (Enter to change the phone number instead)`,
      path: customerId,
    });
    set(customerId, id);
    if (id === undefined) await askPhone(textField(member(draft, 'customer'), 'phone'));
  };
  const topicOf = (field: OptionalField): Topic => ({
    ...field,
    isMissing: () =>
      readField(draft, field.path.split('.')) === undefined && !(isAddressSettled && isOfAddress(field)),
    ask: (before) => askOptional(field, before),
  });
  const addressTopics = addressAndNote.filter(isOfAddress).map(topicOf);

  const topics: Topic[] = [
    {
      name: t`the phone number`,
      path: 'customer.phone',
      isMissing: () => missing.has('customer_missing'),
      ask: askPhone,
    },
    {
      name: t`your own ID of the customer`,
      path: customerId,
      applies: () => member(draft.customer, 'externalCustomerId') !== undefined,
      isMissing: () => false,
      ask: askCustomerId,
    },
    {
      name: t`the items`,
      path: 'items',
      isMissing: () => missing.has('items_missing'),
      ask: async () => {
        const { usedSkus } = offers;
        if (usedSkus.length > 0)
          print.note(formatUsedSkus(usedSkus, system.terminal.width, say(t`Codes used before:`)));
        setItems((await askLines(prompts, usedSkus)).map((spec) => parseLine(spec)));
      },
    },
    {
      name: t`the address, as in the last order`,
      path: 'deliveryAddress',
      applies: hasKnownAddress,
      isMissing: () => hasKnownAddress() && addressTopics.every(({ isMissing }) => isMissing()),
      ask: askAddress,
    },
    ...addressAndNote.map(topicOf),
    {
      name: t`what the courier collects`,
      path: 'collectionMode',
      isMissing: () => missing.has('collection_mode_missing'),
      ask: askCollection,
    },
    {
      name: t`the amount to collect`,
      path: 'collectionAmount',
      applies: () => draft.collectionMode === 'COLLECT',
      isMissing: () => draft.collectionMode === 'COLLECT' && draft.collectionAmount === undefined,
      ask: askAmount,
    },
    ...totalAndDate.map(topicOf),
    {
      name: t`your order ID`,
      path: 'externalOrderId',
      isMissing: () =>
        missing.has('external_order_id_missing') && textField(draft, 'externalOrderId') === undefined,
      ask: async () =>
        set(
          'externalOrderId',
          await askText({
            message: t`Your own order ID`,
            path: 'externalOrderId',
            required: t`Please enter an order ID.`,
            preset: textField(draft, 'externalOrderId') ?? proposeOrderId(today, system.randomUuid()),
            doubtAbout: (id) =>
              readYesNo(id) === undefined ? undefined : t`The order would have the ID "${id}".`,
          }),
        ),
    },
  ];

  return {
    isComplete,
    assumedFields: () => [
      ...(answered.has('items') ? (['quantity'] as const) : []),
      ...unnamedFields.filter((field) => answered.has(defaultPlaces[field])),
    ],
    askMissing: async (given) => {
      offers = given;
      if (missing.has('external_order_id_missing')) {
        const again = await chooseUnsettled(prompts, offers.unsettled, clock.now());
        if (again !== undefined) set('externalOrderId', again);
      }
      const phone = textField(member(draft, 'customer'), 'phone');
      if (phone !== undefined) await meet(phone);
      for (const topic of topics) if (topic.isMissing()) await topic.ask();
    },
    change: async () => {
      const choices = topics.flatMap(({ name, applies }, index) =>
        applies?.() === false ? [] : [{ value: String(index), name }],
      );
      const chosen = await prompts.choose(t`What do you want to change?`, [
        ...choices,
        { value: 'back', name: t`nothing: show the order again` },
        { value: 'none', name: t`stop: do not create this order` },
      ]);
      const topic = topics[Number(chosen)];
      const before = topic === undefined ? undefined : readField(draft, topic.path.split('.'));
      await topic?.ask(typeof before === 'string' ? before : undefined);
      return chosen !== 'none';
    },
    topics,
    askAgain: async (path, usedSkus) => {
      const [, index] = /^items\[(\d+)\]/.exec(path) ?? [];
      if (index !== undefined) return askItem(Number(index), path.endsWith('.sku'), usedSkus);
      const today = readField(draft, path.split('.'));
      await topics.find((topic) => topic.path === path)?.ask(typeof today === 'string' ? today : undefined);
    },
    hasAnswers: () => answered.size > 0,
  };
}

interface TextQuestion {
  message: Text;
  path: string;
  /** The message for a blank answer; absent for an optional field. */
  required?: Text;
  preset?: string | undefined;
  /** Doubts beyond the warnings of the checks. */
  doubtAbout?: (value: string, today: string) => Text | undefined;
  /** Shows the value for confirmation if it was typed in another form. */
  describe?: (value: string) => Text;
  /** What was typed, without marks that leave no doubt. */
  plainForm?: (typed: string) => string;
  read?: (text: string, today: string) => string | { problem: Text };
  /** Whether an answer leaves the question without a value. */
  isLeft?: (text: string) => boolean;
}

const same = (text: string) => text;
const never = () => false;

/** An answer of before is kept by Enter, and `-` takes it away. */
function clearable(
  [optional, clearing]: readonly [optional: Text, clearing: Text],
  before: string | undefined,
): Pick<TextQuestion, 'message' | 'preset' | 'isLeft'> {
  if (before === undefined) return { message: optional };
  return { message: clearing, preset: before, isLeft: (text) => text === '-' };
}

const amountChecks = {
  doubtAbout: doubtAboutAmount,
  describe: formatAmount,
  // The last question shows the amount again.
  plainForm: (typed: string) => typed.replaceAll(/[,\s'’₮]/g, ''),
};
const collected = {
  message: t`How much does the courier collect?`,
  path: 'collectionAmount',
  required: t`Please enter the amount.`,
  read: readAmount,
  isLeft: saysNothingCollected,
  ...amountChecks,
};

const customerId = 'customer.externalCustomerId';

/** A field that may be blank. `messages`: while it is, and when an answer of before may be taken away. */
interface OptionalField extends Omit<TextQuestion, 'message' | 'required' | 'preset' | 'isLeft'> {
  name: Sentence;
  messages: readonly [optional: Sentence, clearing: Sentence];
}

const addressAndNote: readonly OptionalField[] = [
  {
    path: defaultPlaces['address.city'],
    name: fieldNames['address.city'],
    messages: [t`Delivery address: city (optional)`, t`Delivery address: city (- for none)`],
  },
  {
    path: defaultPlaces['address.district'],
    name: fieldNames['address.district'],
    messages: [t`Delivery address: district (optional)`, t`Delivery address: district (- for none)`],
  },
  {
    path: defaultPlaces['address.street'],
    name: fieldNames['address.street'],
    messages: [
      t`Delivery address: street, building, door (optional)`,
      t`Delivery address: street, building, door (- for none)`,
    ],
  },
  {
    path: defaultPlaces.note,
    name: fieldNames.note,
    messages: [t`Note for the courier (optional)`, t`Note for the courier (- for none)`],
  },
];

function isOfAddress({ path }: OptionalField): boolean {
  return path !== defaultPlaces.note && addressAndNote.some((field) => field.path === path);
}

const totalAndDate: readonly OptionalField[] = [
  {
    path: 'total',
    name: t`the total`,
    messages: [t`Total of the order (optional)`, t`Total of the order (- for none)`],
    read: readAmount,
    ...amountChecks,
  },
  {
    path: 'requestedDeliveryDate',
    name: t`the delivery date`,
    messages: [
      t`Delivery date (optional), such as tomorrow, friday or 25 Dec`,
      t`Delivery date (- for none), such as tomorrow, friday or 25 Dec`,
    ],
    read: readTypedDate,
    doubtAbout: doubtAboutDate,
    describe: describeDay,
  },
];

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
