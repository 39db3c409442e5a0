import type { Context } from '../../context.ts';
import { readYesNo, yesNoProblem } from '../../import/words/yes-no.ts';
import type { SentOrder } from '../../ledger/order-log.ts';
import { readField, removeField, setField } from '../../orders/field-path.ts';
import { jsonText, member, writeJson } from '../../orders/json.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { findIssues } from '../../orders/order-schemas.ts';
import { defaultPlaces, type UnnamedField } from '../../orders/unnamed-fields.ts';
import { formatAmount } from '../../output/amount.ts';
import { describeDay } from '../../output/times.ts';
import {
  doubtAboutAmount,
  errorOf,
  issuesOf,
  readAmount,
  saysNothingCollected,
  sentenceOf,
} from './answers.ts';
import { parseLine } from './draft.ts';
import { askLines } from './items.ts';
import { doubtAboutDate, readTypedDate } from './typed-date.ts';
import { chooseUnsettled } from './unsettled.ts';
import { formatUsedSkus } from './used-skus.ts';

interface DialogueOptions {
  /** Fields outside the interface that are asked for, because the profile says where they are sent. */
  fields: ReadonlySet<UnnamedField>;
  allRules: boolean;
}

export interface Dialogue {
  /** Has everything that every order needs. */
  isComplete: boolean;
  /** Optional fields included. */
  askMissing(offers?: Offers): Promise<void>;
  /** Returns false if no answer is to be changed. */
  change(): Promise<boolean>;
  hasCounts(): boolean;
  /** A blank answer removed a field, so the flags of the answers are not enough. */
  needsWholeOrder(): boolean;
  wholeOrder(): string[];
  /** `replaced`: the flags that the answers replace. */
  flags(): { words: string[]; replaced: ReadonlySet<string> };
}

interface Offers {
  usedSkus: readonly string[];
  /** The new order may be one of these, typed again. */
  unsettled: readonly SentOrder[];
  onPhone(phone: string): void;
}

const needed = [
  'external_order_id_missing',
  'customer_missing',
  'items_missing',
  'collection_mode_missing',
] as const;

interface Topic {
  name: string;
  isMissing(): boolean;
  applies?(): boolean;
  ask(): Promise<void>;
}

export function createDialogue(
  draft: Order,
  prompts: NonNullable<Context['prompts']>,
  { clock, system, print }: Pick<Context, 'clock' | 'system' | 'print'>,
  { fields, allRules }: DialogueOptions,
): Dialogue {
  const today = clock.today();
  const answers = new Map<string, string[]>();
  const missing = new Set(findIssues(draft, { today, allRules }).map(({ code }) => code));
  let offers: Offers = { usedSkus: [], unsettled: [], onPhone: () => undefined };
  const isComplete = !needed.some((code) => missing.has(code));

  /** Repeats until the answer is valid, or confirmed although doubtful; undefined for a blank one or `isLeft`. */
  const askText = async (question: TextQuestion) => {
    const { message, path, required, preset, read = same, isLeft = never } = question;
    for (;;) {
      const check = (answer: string) => {
        if (answer === '') return required;
        if (isLeft(answer)) return undefined;
        const value = read(answer);
        return typeof value === 'string' ? errorOf(path, value, today) : value.problem;
      };
      const answer = await prompts.text({ message, check, ...(preset === undefined ? {} : { preset }) });
      if (answer === '' || isLeft(answer)) return undefined;
      const value = read(answer) as string;
      if (await isRight(question, value, answer)) return value;
    }
  };
  const isRight = async (
    { path, doubtAbout, describe = same }: TextQuestion,
    value: string,
    typed: string,
  ) => {
    const shown = value === typed ? value : describe(value);
    const warning = issuesOf(path, value, today).find(({ severity }) => severity === 'warning');
    const doubt = warning === undefined ? doubtAbout?.(value, today) : sentenceOf(warning, shown);
    if (doubt !== undefined) return prompts.confirm(`${doubt} Is it right?`, false, 'correct');
    return value === typed || prompts.confirm(`${shown}?`, true, 'correct');
  };
  const setAs = (flag: string, path: string[], value: string | undefined, words: string[]) => {
    if (value !== undefined) setField(draft, path, value);
    else if (readField(draft, path) === undefined) return;
    else removeField(draft, path);
    answers.set(flag, value === undefined ? [] : words);
  };
  const set = (flag: string, path: string[], value: string | undefined) =>
    setAs(flag, path, value, [flag, value ?? '']);
  const setOther = (field: UnnamedField, value: string | undefined) => {
    const path = defaultPlaces[field];
    setAs(path, path.split('.'), value, ['--set', `${path}=${value}`]);
  };

  /** An amount as the answer means yes. */
  const askCollection = async (): Promise<void> => {
    const answer = await prompts.text({
      message: 'Does the courier collect money? (yes or no)',
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
    for (const flag of ['--collect', '--prepaid']) answers.delete(flag);
    draft.collectionMode = isPrepaid ? 'NONE' : 'COLLECT';
    if (isPrepaid) answers.set('--prepaid', ['--prepaid']);
    else if (amount === undefined) await askAmount();
    else set('--collect', collected.path, amount);
  };
  const askAmount = async (): Promise<void> => {
    const amount = await askText(collected);
    return amount === undefined ? askCollection() : set('--collect', collected.path, amount);
  };

  const topics: Topic[] = [
    {
      name: 'your order ID',
      isMissing: () => missing.has('external_order_id_missing'),
      ask: async () =>
        set(
          '--external-order-id',
          ['externalOrderId'],
          (await chooseUnsettled(prompts, offers.unsettled, clock.now())) ??
            (await askText({
              message: 'Your own order ID',
              path: ['externalOrderId'],
              required: 'Please enter an order ID.',
              preset: textField(draft, 'externalOrderId') ?? proposeOrderId(today, system.randomUuid()),
            })),
        ),
    },
    {
      name: 'the phone number',
      isMissing: () => missing.has('customer_missing'),
      ask: async () => {
        const phone = await askText({
          message: 'Phone number of the customer',
          path: ['customer', 'phone'],
          required: 'Please enter the phone number.',
        });
        set('--phone', ['customer', 'phone'], phone);
        if (phone !== undefined) offers.onPhone(phone);
      },
    },
    {
      name: 'the items',
      isMissing: () => missing.has('items_missing'),
      ask: async () => {
        const { usedSkus } = offers;
        if (usedSkus.length > 0) print.note(formatUsedSkus(usedSkus, system.terminal.width));
        const specs = await askLines(prompts, fields.has('quantity'), usedSkus);
        draft.items = specs.map((spec) => parseLine(spec));
        answers.set(
          '--item',
          specs.flatMap((spec) => ['--item', spec]),
        );
      },
    },
    {
      name: 'what the courier collects',
      isMissing: () => missing.has('collection_mode_missing'),
      ask: askCollection,
    },
    {
      name: 'the amount to collect',
      applies: () => draft.collectionMode === 'COLLECT',
      isMissing: () => draft.collectionMode === 'COLLECT' && draft.collectionAmount === undefined,
      ask: askAmount,
    },
    {
      name: 'the total',
      isMissing: () => draft.total === undefined,
      ask: async () =>
        set(
          '--total',
          ['total'],
          await askText({
            message: 'Total of the order (optional)',
            path: ['total'],
            read: readAmount,
            ...amountChecks,
          }),
        ),
    },
    {
      name: 'the delivery date',
      isMissing: () => draft.requestedDeliveryDate === undefined,
      ask: async () =>
        set(
          '--delivery-date',
          ['requestedDeliveryDate'],
          await askText({
            message: 'Delivery date (optional), such as tomorrow, friday or 25 Dec',
            path: ['requestedDeliveryDate'],
            read: (text) => readTypedDate(text, today),
            doubtAbout: doubtAboutDate,
            describe: describeDay,
          }),
        ),
    },
    ...otherFields
      .filter(({ field }) => fields.has(field))
      .map(({ field, name, message }): Topic => {
        const path = defaultPlaces[field];
        return {
          name,
          isMissing: () => readField(draft, path.split('.')) === undefined,
          ask: async () => setOther(field, await askText({ message, path: path.split('.') })),
        };
      }),
  ];

  return {
    isComplete,
    hasCounts: () =>
      answers.has('--item') && orderLines(draft).some((line) => member(line, 'quantity') !== undefined),
    askMissing: async (given = offers) => {
      offers = given;
      for (const topic of topics) if (topic.isMissing()) await topic.ask();
    },
    change: async () => {
      const choices = topics.flatMap(({ name, applies }, index) =>
        applies?.() === false ? [] : [{ value: String(index), name }],
      );
      const chosen = await prompts.choose('What do you want to change?', [
        ...choices,
        { value: 'none', name: 'nothing: do not create this order' },
      ]);
      await topics[Number(chosen)]?.ask();
      return chosen !== 'none';
    },
    needsWholeOrder: () =>
      [...answers.values()].some((words) => words.length === 0) &&
      Object.keys(draft).every((key) => /^\w+$/.test(key)),
    wholeOrder: () =>
      Object.entries(draft).flatMap(([key, value]) =>
        key === 'externalOrderId'
          ? ['--external-order-id', jsonText(value)]
          : ['--set', typeof value === 'string' ? `${key}=${value}` : `${key}:=${writeJson(value)}`],
      ),
    flags: () => {
      const replaced = new Set(answers.keys());
      // The two exclude each other.
      if (replaced.has('--collect')) replaced.add('--prepaid');
      if (replaced.has('--prepaid')) replaced.add('--collect');
      return { words: [...answers.values()].flat(), replaced };
    },
  };
}

interface TextQuestion {
  message: string;
  path: string[];
  /** The message for a blank answer; absent for an optional field. */
  required?: string;
  preset?: string;
  /** Doubts beyond the warnings of the checks. */
  doubtAbout?: (value: string, today: string) => string | undefined;
  /** Shows the value for confirmation if it was typed in another form. */
  describe?: (value: string) => string;
  read?: (text: string) => string | { problem: string };
  /** Whether an answer leaves the question without a value. */
  isLeft?: (text: string) => boolean;
}

const same = (text: string) => text;
const never = () => false;
const amountChecks = { doubtAbout: doubtAboutAmount, describe: formatAmount };
const collected = {
  message: 'How much does the courier collect?',
  path: ['collectionAmount'],
  required: 'Please enter the amount.',
  read: readAmount,
  isLeft: saysNothingCollected,
  ...amountChecks,
};

const otherFields: { field: UnnamedField; name: string; message: string }[] = [
  { field: 'address.city', name: 'the city', message: 'Delivery address: city (optional)' },
  { field: 'address.district', name: 'the district', message: 'Delivery address: district (optional)' },
  {
    field: 'address.street',
    name: 'the street',
    message: 'Delivery address: street, building, door (optional)',
  },
  { field: 'note', name: 'the note', message: 'Note for the courier (optional)' },
];

function proposeOrderId(today: string, uuid: string): string {
  return `MO-${today.replaceAll('-', '')}-${uuid.slice(0, 8)}`;
}
