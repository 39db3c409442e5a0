import { describe, expect, it } from 'vitest';
import { isJsonNumber, jsonText, member } from '../../src/orders/json.ts';
import { type Order, orderLines, textField } from '../../src/orders/order.ts';
import { findIssues } from '../../src/orders/order-schemas.ts';
import { phoneToE164 } from '../../src/orders/phone.ts';
import { readCatalogue, readFixture, readOrders, readTable } from './read-fixture.ts';

const catalogue = readCatalogue();
const orders = readOrders('orders.csv');
const invalid = readOrders('orders-invalid.csv');
const check = (order: Order) => findIssues(order, { today: '2026-11-20', allRules: true });
const all = [...orders.values()].map(({ order }) => order);
const lines = all.flatMap((order) => orderLines(order));
const phoneOf = (order: Order) => textField(member(order, 'customer'), 'phone') ?? '';
const idsOf = (isListed: (order: Order) => boolean) =>
  all.filter(isListed).map((order) => textField(order, 'externalOrderId'));
const isKnown = (line: unknown) =>
  catalogue.some(
    ({ sku, name, active }) =>
      active === 'true' &&
      sku === textField(line as Order, 'sku') &&
      name === textField(line as Order, 'name'),
  );

function hundredths(text: string): bigint {
  const [units = '', remainder = '00'] = text.split('.');
  return BigInt(units) * 100n + BigInt(remainder);
}

describe('fixtures/catalogue.csv', () => {
  it('has at least 60 products, 3 of them inactive, and no SKU twice', () => {
    expect(catalogue.length).toBeGreaterThanOrEqual(60);
    expect(new Set(catalogue.map(({ sku }) => sku)).size).toBe(catalogue.length);
    expect(catalogue.filter(({ active }) => active === 'false')).toHaveLength(3);
    expect(catalogue.filter(({ active }) => active !== 'true' && active !== 'false')).toEqual([]);
    expect(catalogue.filter(({ sku, name }) => !/^[A-Z]{3}-\d{3}$/.test(sku) || name === '')).toEqual([]);
  });
});

describe('fixtures/orders.csv', () => {
  it('has at least 250 orders of 1 to 5 lines', () => {
    expect(all.length).toBeGreaterThanOrEqual(250);
    expect(lines.length).toBeGreaterThanOrEqual(500);
    expect(new Set(all.map((order) => orderLines(order).length))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect([...orders.keys()].filter((id) => !/^UB-\d{5}$/.test(id))).toEqual([]);
  });

  it('passes every check without warnings', () => {
    const problems = [...orders].map(([id, { order }]) => ({ id, issues: check(order) }));
    expect(problems.filter(({ issues }) => issues.length > 0)).toEqual([]);
  });

  it.each(['orders.csv', 'orders-invalid.csv'])(
    '%s is UTF-8 with LF, and all rows have the same width',
    (name) => {
      expect(readFixture(name)).not.toMatch(/^\ufeff|\r|\ufffd|\?|\u00a0/);
      expect(new Set(readTable(name).map((row) => row.length))).toEqual(new Set([16]));
      expect(
        readTable(name)
          .flat()
          .filter((cell) => cell !== cell.trim()),
      ).toEqual([]);
    },
  );

  it('has no contradictions within an order, and no repeated row', () => {
    const rows = readTable('orders.csv').slice(1);
    for (const [id, { rows: indexes }] of orders) {
      const orderRows = indexes.map((index) => rows[index] ?? []);
      expect(new Set(orderRows.map((row) => row.join('\t'))).size, id).toBe(orderRows.length);
      for (const column of [0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15]) {
        const values = new Set(orderRows.map((row) => row[column] ?? '').filter((cell) => cell !== ''));
        expect(values.size, `${id}, column ${column}`).toBeLessThanOrEqual(1);
      }
    }
  });

  it('has active products of the catalogue with their names, and ad-hoc lines with name and price', () => {
    const adHoc = lines.filter((line) => textField(line, 'sku') === undefined);
    expect(lines.filter((line) => textField(line, 'sku') !== undefined && !isKnown(line))).toEqual([]);
    expect(adHoc.filter((line) => !textField(line, 'name') || !textField(line, 'unitPrice'))).toEqual([]);
    expect(adHoc.length).toBeGreaterThan(5);
    expect(lines.every((line) => isJsonNumber(member(line, 'quantity')))).toBe(true);
  });

  it('has the sum of quantity × unit price as total', () => {
    const isOff = (order: Order) => {
      const prices = orderLines(order).map((line) => {
        return (
          BigInt(jsonText(member(line, 'quantity') ?? '')) * hundredths(textField(line, 'unitPrice') ?? '')
        );
      });
      return prices.reduce((sum, price) => sum + price, 0n) !== hundredths(textField(order, 'total') ?? '');
    };
    expect(idsOf(isOff)).toEqual([]);
  });

  it('collects for about half of the orders, never more than the total, sometimes less', () => {
    const collecting = all.filter((order) => textField(order, 'collectionMode') === 'COLLECT');
    const remainders = collecting.map((order) => {
      return (
        hundredths(textField(order, 'total') ?? '') - hundredths(textField(order, 'collectionAmount') ?? '')
      );
    });
    expect(Math.abs(collecting.length / all.length - 0.5)).toBeLessThan(0.1);
    expect(remainders.filter((remainder) => remainder < 0n)).toEqual([]);
    expect(remainders.filter((remainder) => remainder > 0n).length).toBeGreaterThan(10);
    expect(remainders.filter((remainder) => remainder === 0n).length).toBeGreaterThan(10);
  });

  it('has all three forms of a prepaid order', () => {
    const prepaid = all.filter((order) => textField(order, 'collectionMode') === 'NONE');
    const amounts = new Set(prepaid.map((order) => textField(order, 'collectionAmount')));
    expect(amounts).toEqual(new Set([undefined, '0', '0.00']));
  });

  it('has delivery dates in 2030, one leap day of 2032, or none', () => {
    const dates = all.map((order) => textField(order, 'requestedDeliveryDate'));
    expect(dates.filter((date) => date === '2032-02-29')).toHaveLength(1);
    expect(dates.filter((date) => date === undefined).length).toBeGreaterThan(10);
    expect(dates.filter((date) => date && date !== '2032-02-29' && !date.startsWith('2030-'))).toEqual([]);
  });

  it('has phones in many formats, without the ambiguous one of the sandbox', () => {
    const phones = all.map(phoneOf);
    const formats = [/^\d{8}$/, /^\+976 \d{4} \d{4}$/, /^\d{4}-\d{4}$/, /^\(976\) \d{8}$/, /^00976\d{8}$/];
    for (const format of formats)
      expect(phones.filter((phone) => format.test(phone)).length).toBeGreaterThan(5);
    expect(phones.map(phoneToE164)).not.toContain('+97699000000');
    expect(new Set(phones.map(phoneToE164)).size).toBeLessThan(phones.length);
  });

  it('has one phone, one name and one external ID per customer', () => {
    const factsBySubject = new Map<string, Set<string>>();
    for (const order of all) {
      const phone = phoneToE164(phoneOf(order)) ?? '';
      const id = textField(member(order, 'customer'), 'externalCustomerId');
      const name = textField(member(order, 'customer'), 'name');
      const facts = [
        `name of ${phone} ${name}`,
        ...(id ? [`phone of ${id} ${phone}`, `id of ${phone} ${id}`] : []),
      ];
      for (const fact of facts) {
        const subject = fact.slice(0, fact.lastIndexOf(' '));
        factsBySubject.set(subject, (factsBySubject.get(subject) ?? new Set()).add(fact));
      }
    }
    expect([...factsBySubject.values()].filter((facts) => facts.size > 1)).toEqual([]);
    expect(
      [...factsBySubject.keys()].filter((subject) => subject.startsWith('phone of')).length,
    ).toBeGreaterThan(20);
  });

  it('has the shapes that an import must read', () => {
    const isApart = (rows: number[]) => (rows.at(-1) ?? 0) - (rows[0] ?? 0) >= rows.length;
    const noteOf = (order: Order) => textField(member(order, 'deliveryAddress'), 'note') ?? '';
    expect([...orders.values()].filter(({ rows }) => isApart(rows)).length).toBeGreaterThanOrEqual(2);
    expect(readTable('orders.csv').filter(([id]) => id === '').length).toBeGreaterThan(10);
    for (const sign of [',', '"', '\n'])
      expect(idsOf((order) => noteOf(order).includes(sign))).not.toEqual([]);
    for (const letter of 'ӨөҮү') expect(idsOf((order) => jsonText(order).includes(letter))).not.toEqual([]);
  });
});

describe('fixtures/orders-invalid.csv', () => {
  const expected = {
    'good-prepaid': [],
    'bad-customer-missing': ['customer_missing'],
    'bad-phone-letters': ['phone_invalid'],
    'bad-phone-damaged': ['phone_damaged'],
    'good-two-rows': [],
    'bad-items-missing': ['items_missing'],
    'bad-collection-mode-lower-case': ['collection_mode_invalid'],
    'bad-collection-mode-missing': ['collection_mode_missing'],
    'good-collect': [],
    'bad-collection-amount-not-allowed': ['collection_amount_not_allowed'],
    'bad-collection-amount-absent': ['collection_amount_required'],
    'bad-collection-amount-zero': ['collection_amount_required'],
    'good-no-date': [],
    'bad-decimal-exponent': ['decimal_invalid'],
    'bad-decimal-separator': ['decimal_invalid'],
    'bad-decimal-sign': ['decimal_invalid'],
    'bad-decimal-one-digit': ['decimal_invalid'],
    'good-ad-hoc-line': [],
    'bad-date-feb-29': ['date_invalid'],
    'bad-date-april-31': ['date_invalid'],
    'warn-phone-implausible': ['phone_implausible'],
    'warn-date-past': ['date_past'],
    'bad-two-problems': ['collection_amount_required', 'date_invalid'],
    'bad-three-rows': ['collection_mode_invalid'],
    'good-known-customer': [],
    '': ['external_order_id_missing'],
  };

  it('has these situations, in this order', () => {
    const found = [...invalid].map(([id, { order }]) => [id, check(order).map(({ code }) => code)]);
    expect(found).toEqual(Object.entries(expected));
  });

  it('has the lines that the IDs name', () => {
    const counts = ['good-two-rows', 'bad-three-rows', 'bad-items-missing'].map((id) => {
      return orderLines(invalid.get(id)?.order ?? {}).length;
    });
    expect(counts).toEqual([2, 3, 0]);
  });

  it('has active products of the catalogue in its valid orders', () => {
    const good = [...invalid].filter(([id]) => id.startsWith('good-'));
    const stock = good.flatMap(([, { order }]) => orderLines(order)).filter((line) => textField(line, 'sku'));
    expect(good).toHaveLength(6);
    expect(stock.filter((line) => !isKnown(line))).toEqual([]);
  });
});
