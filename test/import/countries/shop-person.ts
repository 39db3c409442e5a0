import type { Answer, AskedQuestion } from '../../support/cli.ts';

/** What a column of an export is, as a person of the shop knows it. */
export type ColumnKind =
  | 'id'
  | 'phone'
  | 'customer'
  | 'name'
  | 'sku'
  | 'product'
  | 'lines'
  | 'quantity'
  | 'minus'
  | 'total'
  | 'due'
  | 'paid'
  | 'payment'
  | 'state'
  | 'address'
  | 'date'
  | 'note';

/** An order as a person of the shop reads it. */
export interface KnownOrder {
  row: number;
  leftOut?: string;
  phone?: string;
  /** What the courier collects, 0 for an order that is prepaid. */
  collect?: number;
  items?: string[];
  address?: string;
}

export interface KnownFile {
  columns: Readonly<Record<string, ColumnKind>>;
  /** The row of the header. */
  headerRow: number;
  orders: readonly KnownOrder[];
  /** The text of an order in a column. */
  textOf(header: string, order: KnownOrder): string;
}

const useOf: Partial<Record<ColumnKind, string>> = {
  phone: 'phone',
  due: 'amount_due',
  paid: 'amount_paid',
  state: 'state',
  payment: 'payment_method',
  total: 'total',
  quantity: 'quantity',
  minus: 'ended_quantity',
  sku: 'sku',
  product: 'product',
  date: 'date',
  address: 'address',
  note: 'note',
  name: 'name',
};

const fieldKinds: readonly [RegExp, readonly ColumnKind[]][] = [
  [/order ID/, ['id']],
  [/customer ID/, ['customer']],
  [/phone/, ['phone']],
  [/SKU/, ['sku']],
  [/name of the product/, ['product', 'sku', 'lines']],
  [/quantity/, ['quantity']],
  [/customer’s name/, ['name']],
  [/date/, ['date']],
  [/note/, ['note']],
  [/amount|total/, ['due', 'total']],
];

/** Answers the questions about a file as a person who knows the shop, and looks at each of them, does. */
export function createShopPerson({ columns, headerRow, orders, textOf }: KnownFile) {
  const headers = Object.keys(columns);
  const kindOf = (header: string) => columns[header] ?? columns[header.replace(/#\d+$/, '')];
  const has = (kind: ColumnKind) => headers.some((header) => columns[header] === kind);
  /** Those for which an earlier answer says who pays. */
  const paying = new Set<KnownOrder>();
  const askedPayments = new Set<string>();

  const columnsIn = ({ choices }: AskedQuestion) =>
    choices.flatMap(({ value }) => (value.startsWith('column:') ? [value.slice('column:'.length)] : []));
  const mayChoose = ({ choices }: AskedQuestion, value: string) =>
    choices.some((choice) => choice.value === value);

  const columnFor = (question: AskedQuestion, kinds: readonly ColumnKind[]): Answer => {
    const offered = columnsIn(question);
    for (const kind of kinds) {
      const found = offered.find((header) => kindOf(header) === kind);
      if (found !== undefined) return `column:${found}`;
      if (has(kind) && mayChoose(question, 'other column')) return 'other column';
    }
    return mayChoose(question, 'none') ? 'none' : `column:${offered[0] ?? ''}`;
  };

  const ordersWith = (header: string, shown: string) => {
    const wanted = shown.replace(/…$/, '').toLowerCase();
    const isMeant = (text: string) =>
      shown.endsWith('…') ? text.toLowerCase().startsWith(wanted) : text.toLowerCase() === wanted;
    return orders.filter((order) => isMeant(textOf(header, order)));
  };

  const decide = (
    question: AskedQuestion,
    header: string,
    shown: string | undefined,
    isPayment: boolean,
  ): Answer => {
    const meant = shown === undefined ? orders : ordersWith(header, shown);
    const sent = meant.filter(({ leftOut }) => leftOut === undefined);
    if (meant.length > 0 && sent.length === 0) return 'leave_out';
    if (!isPayment) return 'deliver';
    const open = meant.filter((order) => !paying.has(order));
    const unclear = open.some(({ leftOut = '' }) => leftOut.includes('online payment'));
    const mayLeaveOpen = mayChoose(question, 'deliver');
    if (open.length === 0 && mayLeaveOpen) return 'deliver';
    askedPayments.add(header);
    const isLast = askedPayments.size === headers.filter((name) => columns[name] === 'payment').length;
    if (unclear && !isLast && mayLeaveOpen) return 'deliver';
    for (const order of open) paying.add(order);
    const live = open.filter(({ leftOut }) => leftOut === undefined);
    if (live.length === 0) return 'leave_out';
    const collected = live.filter(({ collect = 0 }) => collect > 0);
    if (collected.length === live.length) return 'collect';
    if (collected.length === 0) return 'prepaid';
    for (const order of open) paying.delete(order);
    return mayLeaveOpen ? 'deliver' : 'collect';
  };

  const useFor = (question: AskedQuestion, header: string): Answer => {
    const kind = kindOf(header);
    // Some shops write into the note that an order is not to be sent.
    const saysState =
      kind === 'note' &&
      orders.some(({ leftOut, ...order }) => leftOut !== undefined && textOf(header, order) !== '') &&
      mayChoose(question, 'state');
    const use = saysState ? 'state' : kind === undefined ? undefined : useOf[kind];
    return use !== undefined && mayChoose(question, use) ? use : 'nothing';
  };

  const matters = (header: string) => {
    const kind = kindOf(header);
    return kind !== undefined && !['name', 'customer', 'id'].includes(kind);
  };

  return (question: AskedQuestion): Answer => {
    const { choices, preset } = question;
    const message = question.message.replace(/\n\s*/g, ' ');
    if (choices.some(({ isTicked }) => isTicked !== undefined)) {
      const wanted = message.includes('address') ? (header: string) => kindOf(header) === 'address' : matters;
      const meant = columnsIn(question)
        .filter(wanted)
        .map((header) => `column:${header}`);
      if (meant.length === 0 && mayChoose(question, 'none')) meant.push('none');
      return { tick: choices.filter(({ value }) => meant.includes(value)).map(({ name }) => name) };
    }
    if (/^Rows? .* looks? like the header/.test(message)) {
      return choices.find(({ value }) => value === String(headerRow))?.value ?? choices[0]?.value ?? '';
    }
    if (message === 'Which column says who pays?') {
      const answer = columnFor(question, ['payment']);
      return kindOf(String(answer).slice('column:'.length)) === 'payment' ? answer : { leave: true };
    }
    const [, what] = /^Which (?:column is|amount) (.*)\?$/.exec(message) ?? [];
    if (message.startsWith('Which amount does')) return columnFor(question, ['due', 'total']);
    if (message.startsWith('Which amount is')) return choices[0]?.value ?? '';
    if (what !== undefined) {
      return columnFor(question, fieldKinds.find(([pattern]) => pattern.test(what))?.[1] ?? []);
    }
    if (message.startsWith('No column is known to hold the products')) {
      const held = has('sku') ? 'sku' : 'name';
      return has('sku') || has('product') || has('lines') ? `other column: items[].${held}` : 'Parcel';
    }
    if (message.startsWith('No column is known to say who pays')) {
      if (has('payment') && !has('due')) return 'by values';
      if (orders.every(({ collect = 0 }) => collect === 0)) return 'none';
      const answer = columnFor(question, ['due', 'total']);
      const less = String(answer).replace('column:', 'less paid:');
      return !has('due') && mayChoose(question, less) ? less : answer;
    }
    const value =
      /^(.*) (?:is “(.*)”|is blank|has a date or text) \(.*\): (who pays|what about them)\?$/.exec(message);
    if (value !== null) {
      const [, name = '', text, asked] = value;
      const shown = text ?? (message.includes(' is blank ') ? '' : undefined);
      return decide(question, name, shown, asked === 'who pays');
    }
    const [, held] = /^What does (.*?) hold\?/.exec(message) ?? [];
    if (held !== undefined) return useFor(question, held);
    if (message.startsWith('Not read: ')) {
      const names = message.slice('Not read: '.length, -'. Right?'.length).split(', ');
      return names.some(matters) ? 'change' : 'right';
    }
    if (message.startsWith('How is this column read?')) {
      const isGoods = (name: string) => ['lines', 'product', 'sku', 'quantity'].includes(kindOf(name) ?? '');
      // The columns of several lines are named by their pattern.
      const goods = headers.filter(isGoods).flatMap((name) => [name, name.replace(/\d+/, '{n}')]);
      return choices.find(({ name }) => goods.some((column) => name.startsWith(column)))?.value ?? 'none';
    }
    if (message.includes(' only counts the rows')) return choices[0]?.value ?? '';
    if (message.startsWith('Some orders are neither')) {
      return orders.some(({ leftOut = '' }) => leftOut.includes('online payment')) ? 'leave-out' : 'collect';
    }
    if (/^Write .*\.numbered\.csv\?/.test(message)) return 'write';
    if (/^(?:SANDBOX|LIVE): /.test(message)) return false;
    return preset ?? 'right';
  };
}
