import { describe, expect, it } from 'vitest';
import { compareOrders } from '../../src/orders/compare.ts';
import { type JsonObject, parseJson } from '../../src/orders/json.ts';
import { defaultPlaces, type FieldPlaces, resolvePlaces } from '../../src/orders/unnamed-fields.ts';

function compare(sent: string, found: string, places: FieldPlaces = defaultPlaces) {
  const { differences, notCompared } = compareOrders(
    parseJson(sent) as JsonObject,
    parseJson(found) as JsonObject,
    places,
  );
  return { differing: differences.map(({ field }) => field), notCompared };
}

const equal = { differing: [], notCompared: [] };
const differs = (field: string) => ({ differing: [field], notCompared: [] });
const notCompared = (field: string) => ({ differing: [], notCompared: [field] });

describe('the whole order', () => {
  const sent = `{"externalOrderId":"A-1","customer":{"phone":"99112233"},"items":[{"sku":"TEA-001"},{"name":"Боодол"}],
    "collectionMode":"COLLECT","collectionAmount":"45000","total":"45000.50","requestedDeliveryDate":"2030-02-28","gift":true}`;

  it('equals itself', () => {
    expect(compare(sent, sent)).toEqual(equal);
  });

  it('equals a copy that is normalised, reordered and extended', () => {
    const found = `{"id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","orderNumber":"ORD-2030-000001","status":"CONFIRMED","gift":false,
      "requestedDeliveryDate":"2030-02-28","total":45000.5,"collectionAmount":"45000.00","collectionMode":"COLLECT",
      "items":[{"id":7,"sku":null,"name":"Боодол"},{"id":8,"sku":"TEA-001","price":"8900"}],"customer":{"id":"c1","phone":"+97699112233","name":"Б"}}`;
    expect(compare(sent, found)).toEqual(equal);
  });

  it('lists every field that differs', () => {
    const found = `{"customer":{"phone":"88112233"},"items":[{"sku":"TEA-002"},{}],"collectionMode":"NONE",
      "collectionAmount":"0","total":"1","requestedDeliveryDate":"2030-03-01"}`;
    expect(compare(sent, found)).toEqual({
      differing: [
        'collectionMode',
        'requestedDeliveryDate',
        'collectionAmount',
        'total',
        'items',
        'customer',
      ],
      notCompared: [],
    });
  });

  it('lists every field that is missing from the response', () => {
    expect(compare(sent, '{"id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427"}')).toEqual({
      differing: [],
      notCompared: [
        'collectionMode',
        'requestedDeliveryDate',
        'collectionAmount',
        'total',
        'items',
        'customer',
        'items[].name',
      ],
    });
  });

  it('ignores fields that were not sent', () => {
    expect(compare('{"externalOrderId":"A-1"}', sent)).toEqual(equal);
  });
});

describe('mode and date', () => {
  it.each([
    ['{"collectionMode":"NONE"}', '{"collectionMode":"NONE"}', equal],
    ['{"collectionMode":"NONE"}', '{"collectionMode":"COLLECT"}', differs('collectionMode')],
    ['{"collectionMode":"NONE"}', '{}', notCompared('collectionMode')],
    ['{"requestedDeliveryDate":"2030-02-28"}', '{"requestedDeliveryDate":"2030-02-28"}', equal],
    [
      '{"requestedDeliveryDate":"2030-02-28"}',
      '{"requestedDeliveryDate":"2030-02-27"}',
      differs('requestedDeliveryDate'),
    ],
    ['{"requestedDeliveryDate":"2030-02-28"}', '{}', notCompared('requestedDeliveryDate')],
    ['{"collectionMode":"NONE"}', '{"collectionMode":"none"}', equal],
    ['{"requestedDeliveryDate":"2030-02-28"}', '{"requestedDeliveryDate":"2030-02-28T00:00:00Z"}', equal],
    ['{"requestedDeliveryDate":"2030-02-28"}', '{"requestedDeliveryDate":"2030-02-28 00:00:00+00"}', equal],
    [
      '{"requestedDeliveryDate":"2030-02-28"}',
      '{"requestedDeliveryDate":"2030-02-28T08:00:00+08:00"}',
      equal,
    ],
    [
      '{"requestedDeliveryDate":"2030-02-28"}',
      '{"requestedDeliveryDate":"2030-02-28T00:00:00+08:00"}',
      notCompared('requestedDeliveryDate'),
    ],
    [
      '{"requestedDeliveryDate":"2030-02-28"}',
      '{"requestedDeliveryDate":"2030-02-28T08:00:00Z"}',
      notCompared('requestedDeliveryDate'),
    ],
  ])('%s and %s', (sent, found, expected) => {
    expect(compare(sent, found)).toEqual(expected);
  });
});

const day = (value: unknown) => JSON.stringify({ requestedDeliveryDate: value });

/** 2030-02-28 is 1898467200 seconds after the epoch. */
describe('a day in another form is the same day', () => {
  it.each([
    [2030, 2, 28],
    ['2030', '02', '28'],
    [2030, 2, 28, 0, 0],
    'Thu, 28 Feb 2030 00:00:00 GMT',
    'Thu Feb 28 00:00:00 2030',
    'Thu Feb 28 00:00:00 UTC 2030',
    'Thu Feb 28 2030 00:00:00 GMT+0000 (Coordinated Universal Time)',
    'Feb 28, 2030, 12:00:00 AM',
    '28 February 2030',
    '28-Feb-2030',
    '2030-02-28T00:00:00.000+0000',
    '2030-02-28T00:00Z[UTC]',
    '2030-02-28 00:00:00 +0000 UTC',
    '2030-02-28Z',
    '2030/2/28',
    '20300228',
    '28.02.2030',
    '02/28/2030',
    '2030 оны 2-р сарын 28',
    1898467200,
    '1898467200',
    1898467200000,
    1898467200000000,
    20300228,
    '/Date(1898467200000)/',
    '/Date(1898467200000+0800)/',
    { year: 2030, month: 2, day: 28 },
    { Year: 2030, Month: 2, Day: 28, DayOfWeek: 4, DayOfYear: 59, DayNumber: 741137 },
    { year: 2030, month: 'FEBRUARY', monthValue: 2, dayOfMonth: 28, dayOfWeek: 'THURSDAY', leapYear: false },
    { date: '2030-02-28 00:00:00.000000', timezone_type: 3, timezone: 'UTC' },
    { $date: { $numberLong: '1898467200000' } },
    { seconds: '1898467200', nanos: 0 },
    { iso: '2030-02-28T00:00:00Z', epoch: 1898467200 },
    { date: '2030-02-28', time: '00:00:00', timezone: 'UTC' },
    { year: 2030, month: 2, day: 28, hours: 0, utcOffset: '0s' },
    ['2030-02-28'],
  ])('%j', (shown) => {
    expect(compare(day('2030-02-28'), day(shown))).toEqual(equal);
    expect(compare(day('2030-02-27'), day(shown))).toEqual(differs('requestedDeliveryDate'));
  });

  it('reads exponents of JSON', () => {
    const found = '{"requestedDeliveryDate":1.8984672E12}';
    expect(compare(day('2030-02-28'), found)).toEqual(equal);
    expect(compare(day('2030-03-01'), found)).toEqual(differs('requestedDeliveryDate'));
  });

  it.each([
    1898467201,
    1898438400,
    '2030-02-27T16:00:00Z',
    'Thu, 28 Feb 2030 08:00:00 GMT',
    'Thu Feb 28 00:00:00 ULAT 2030',
    '03/02/2030',
    '28/02/30',
    21608,
    [2030, 13, 28],
    [2030, 2],
    ['2030-02-28', '2030-03-01'],
    { from: '2030-02-28', to: '2030-03-01' },
    { date: '2030-02-28 00:00:00.000000', timezone: 'Asia/Ulaanbaatar' },
    { year: 2030, month: 2 },
    // Months from 0, as java.util.Calendar has them.
    { year: 2030, month: 1, dayOfMonth: 28, hourOfDay: 0, minute: 0, second: 0 },
    { year: 2030, month: 1, dayOfMonth: 28 },
    { year: 2030, month: 2, day: 28, hours: 0, utcOffset: '28800s' },
    { date: '2030-02-27', time: '16:00:00', timezone: 'UTC' },
    { date: '2030-02-27', time: '16:00' },
    { date: '2030-02-27', hour: 16 },
    ['2030-02-27', '16:00:00'],
    { day: '2030-02-27', shiftedBy: 1 },
    { Time: '2030-02-27T00:00:00Z', Valid: false },
    '2030-02-30',
    'tomorrow',
    '',
    true,
    null,
    {},
  ])('%j is no certain day, so it is not compared', (shown) => {
    expect(compare(day('2030-02-28'), day(shown))).toEqual(notCompared('requestedDeliveryDate'));
  });
});

describe('a mode in another form is the same mode', () => {
  const mode = (value: unknown) => JSON.stringify({ collectionMode: value });

  it.each([
    'Collect',
    ' collect ',
    { code: 'COLLECT', label: 'Бэлнээр авах' },
    { id: 2, name: 'collect', description: 'The courier collects' },
    ['COLLECT'],
  ])('%j', (shown) => {
    expect(compare(mode('COLLECT'), mode(shown))).toEqual(equal);
    expect(compare(mode('NONE'), mode(shown))).toEqual(differs('collectionMode'));
  });

  it.each([1, true, 'COD', 'DO_NOT_COLLECT', { code: 'COD' }, ['NONE', 'COLLECT'], {}, [], null])(
    '%j is not compared',
    (shown) => {
      expect(compare(mode('COLLECT'), mode(shown))).toEqual(notCompared('collectionMode'));
    },
  );
});

describe('an amount in another form is the same amount', () => {
  const amount = (json: string) => `{"collectionAmount":${json}}`;

  it.each([
    '4.5E+4',
    '45e3',
    '"4.5E+4"',
    '"4500000e-2"',
    '"45.000,00"',
    '"45 000₮"',
    '"MNT 45,000"',
    '{"amount":"45000","currency":"MNT"}',
    '{"value":45000.0,"currency_code":"MNT","formatted":"45,000₮"}',
    '{"units":"45000","nanos":0,"currencyCode":"MNT"}',
    '{"$numberDecimal":"45000"}',
    '{"Int64":45000,"Valid":true}',
    '{"amount":"45000","currency":{"code":"MNT","name":"төгрөг"}}',
    '{"units":"45000","currencyCode":"MNT"}',
    '["45000","MNT"]',
    '["45000"]',
  ])('%s', (shown) => {
    expect(compare(amount('"45000"'), amount(shown))).toEqual(equal);
    expect(compare(amount('"44000"'), amount(shown))).toEqual(differs('collectionAmount'));
  });

  it.each([
    '"45.000"',
    '"45к"',
    '"45,000 USD"',
    '4500000',
    '{"cents":4500000,"currency":"MNT"}',
    '{"amount":4500000,"scale":2}',
    '{"net":40000,"fee":5000}',
    '{"Int64":0,"Valid":false}',
    '{"amountMicros":"45000000000","currencyCode":"MNT"}',
    '{"value":"45","unit":"thousand"}',
    '{"e5":"4500000000"}',
    '{"amount":"45000","currency":"USD"}',
    '{"currencyCode":"USD","units":"45000"}',
    '["45000","USD"]',
    '{}',
    '""',
    '"1e999999999"',
  ])('%s is no certain amount, so it is not compared', (shown) => {
    expect(compare(amount('"45000"'), amount(shown))).toEqual(notCompared('collectionAmount'));
  });

  it.each(['"4500000"', '"45000000"', '"1.234.567"', '0', '44999.99', '450'])('%s differs', (shown) => {
    expect(compare(amount('"45000"'), amount(shown))).toEqual(differs('collectionAmount'));
  });
});

describe('money is compared by value', () => {
  it.each([
    ['{"total":"45000"}', '{"total":"45000.00"}', equal],
    ['{"total":"45000"}', '{"total":45000}', equal],
    ['{"total":"45000.50"}', '{"total":45000.5}', equal],
    ['{"total":"45000"}', '{"total":"045000.0"}', equal],
    ['{"total":"45000"}', '{"total":"45000.01"}', differs('total')],
    ['{"total":"9007199254740993"}', '{"total":9007199254740993}', equal],
    ['{"total":"9007199254740993"}', '{"total":9007199254740992}', differs('total')],
    ['{"total":"45000"}', '{"total":""}', notCompared('total')],
    ['{"total":"45000"}', '{"total":"45,000.00"}', equal],
    ['{"total":"1450000.50"}', '{"total":"1\u00a0450\u00a0000,50"}', equal],
    ['{"total":"1450000.50"}', '{"total":"1.450.000,5"}', equal],
    ['{"total":"45000"}', '{"total":"45\'000 ₮"}', equal],
    ['{"total":"45000"}', '{"total":"45.000"}', notCompared('total')],
    ['{"total":"45000"}', '{"total":"4,5000"}', notCompared('total')],
    ['{"total":"45000"}', '{"total":"450,00"}', differs('total')],
    ['{"total":"45000"}', '{"total":"45,000,00"}', notCompared('total')],
    ['{"total":"45000"}', '{"total":"45,000 USD"}', notCompared('total')],
    ['{"total":"45000"}', '{}', notCompared('total')],
    ['{"total":"45000"}', '{"total":{"amount":"45000"}}', equal],
    ['{"total":"0"}', '{}', notCompared('total')],
    ['{"collectionAmount":"0"}', '{}', equal],
    ['{"collectionAmount":"0.00"}', '{"collectionAmount":null}', equal],
    ['{"collectionAmount":"0"}', '{"collectionAmount":0}', equal],
    ['{"collectionAmount":"5000"}', '{}', notCompared('collectionAmount')],
    ['{"collectionAmount":"5000"}', '{"collectionAmount":"0"}', differs('collectionAmount')],
    ['{}', '{"collectionAmount":"0","total":"1"}', equal],
  ])('%s and %s', (sent, found, expected) => {
    expect(compare(sent, found)).toEqual(expected);
  });
});

describe('lines are compared by their SKUs, in any order', () => {
  it.each([
    ['[{"sku":"A"},{"sku":"B"}]', '[{"sku":"B"},{"sku":"A"}]', equal],
    ['[{"sku":"A"},{"sku":"A"},{"sku":"B"}]', '[{"sku":"A"},{"sku":"B"},{"sku":"A"}]', equal],
    ['[{"sku":"A"},{"sku":"A"},{"sku":"B"}]', '[{"sku":"A"},{"sku":"B"},{"sku":"B"}]', differs('items')],
    ['[{"sku":"A"}]', '[{"sku":"A","quantity":9,"name":"x"}]', equal],
    ['[{"sku":"A"}]', '[{"sku":"A"},{"sku":"A"}]', differs('items')],
    ['[{"sku":"A"},{"sku":"A"}]', '[{"sku":"A"}]', differs('items')],
    ['[{"sku":"A"}]', '[{"sku":"a"}]', differs('items')],
    ['[{"sku":"A"}]', '[]', differs('items')],
    ['[{"sku":"A"},{"name":"x"}]', '[{"name":"y"},{"sku":"A"}]', differs('items[].name')],
    ['[{"sku":"A"},{"name":"x"}]', '[{"sku":"A"},{"sku":null}]', notCompared('items[].name')],
    ['[{"sku":"A"},{"name":"x"}]', '[{"sku":"A"},{"sku":"B"}]', differs('items')],
    ['[{"name":"x"}]', '[{"name":"y"}]', differs('items[].name')],
    ['[{"sku":"A"}]', '[{"sku":null}]', differs('items')],
    ['[{"sku":"A"}]', '[{"productId":7}]', notCompared('items')],
    ['[{"sku":"A"}]', '[{"productId":7},{"productId":8}]', notCompared('items')],
    ['[{"sku":"A"},{"sku":"7"}]', '[{"product":{"sku":"A","name":"Tea"}},{"sku":7}]', equal],
    ['[{"sku":"A"}]', '[{"sku":{"code":"A","label":"Tea"},"unit":{"code":"pcs"}}]', equal],
    ['[{"sku":"A"}]', '[{"sku":{"code":"B","label":"Tea"}}]', differs('items')],
    ['[{"sku":"A"}]', '[{"sku":["A"]}]', notCompared('items')],
    ['[{"sku":"A"}]', '[{"product":{"sku":"A"},"gift":{"sku":"B"}}]', notCompared('items')],
    ['[{"sku":"A"}]', '{"0":{"sku":"B"}}', notCompared('items')],
    ['[{"sku":"A"}]', '[]', differs('items')],
    ['[{"sku":"A"}]', 'null', notCompared('items')],
    ['[{"sku":"A"}]', '3', notCompared('items')],
  ])('%s and %s', (sent, found, expected) => {
    expect(compare(`{"items":${sent}}`, `{"items":${found}}`)).toEqual(expected);
  });
});

describe('customers are compared by external ID or by phone', () => {
  it.each([
    ['{"phone":"99112233"}', '{"phone":"+976 9911-2233"}', equal],
    ['{"phone":"0097699112233"}', '{"phone":"99112233"}', equal],
    ['{"phone":"99112233"}', '{"phone":"99112234"}', differs('customer')],
    ['{"phone":"12345"}', '{"phone":"+976 12345"}', equal],
    ['{"phone":"none"}', '{"phone":" none "}', equal],
    ['{"phone":"none"}', '{"phone":"nothing"}', notCompared('customer')],
    ['{"phone":"99112233"}', '{"phone":99112233}', equal],
    ['{"phone":"99112233"}', '{"phone":"tel:+976-9911-2233"}', equal],
    ['{"phone":"99112233"}', '{"phone":{"countryCode":"976","national":"9911 2233"}}', equal],
    ['{"phone":"99112233"}', '{"phone":{"e164":"+97688112233"}}', differs('customer')],
    ['{"phone":"99112233"}', '{"phone":["99112233","88112233"]}', notCompared('customer')],
    ['{"phone":"99112233"}', '{"phone":"2233"}', notCompared('customer')],
    ['{"phone":"99112233"}', '{"phone":"enc:9f86d081884c7d65"}', notCompared('customer')],
    ['{"phone":"99112233"}', '{"phone":"88****33"}', differs('customer')],
    ['{"externalCustomerId":"42"}', '{"externalCustomerId":42}', equal],
    ['{"phone":"99112233"}', '{"phone":"99112233","externalCustomerId":"C-1"}', equal],
    ['{"phone":"99112233"}', '{"name":"Б"}', notCompared('customer')],
    ['{"phone":"99112233"}', '{"externalCustomerId":"C-1"}', notCompared('customer')],
    ['{"phone":"99112233"}', 'null', notCompared('customer')],
    ['{"phone":"99112233"}', '"c-uuid"', notCompared('customer')],
    ['{"externalCustomerId":"C-1"}', '{"externalCustomerId":"C-1"}', equal],
    ['{"externalCustomerId":"C-1"}', '{"externalCustomerId":"C-2"}', differs('customer')],
    ['{"externalCustomerId":"C-1"}', '{"phone":"99112233"}', notCompared('customer')],
    ['{"externalCustomerId":"C-1"}', '{"externalCustomerId":null}', notCompared('customer')],
  ])('%s and %s', (sent, found, expected) => {
    expect(compare(`{"customer":${sent}}`, `{"customer":${found}}`)).toEqual(expected);
  });

  it.each([
    ['{"externalCustomerId":"C-1","phone":"88112233"}', equal],
    ['{"externalCustomerId":"C-2","phone":"99112233"}', equal],
    ['{"externalCustomerId":"C-2","phone":"88112233"}', differs('customer')],
    ['{"externalCustomerId":"C-2"}', differs('customer')],
    ['{"phone":"99112233"}', equal],
    ['{"phone":"88112233"}', notCompared('customer')],
    ['{}', notCompared('customer')],
  ])('both sent, found %s', (found, expected) => {
    const sent = '{"customer":{"externalCustomerId":"C-1","phone":"99112233"}}';
    expect(compare(sent, `{"customer":${found}}`)).toEqual(expected);
  });
});

describe('a field that the interface does not name is compared where the response shows it', () => {
  const street = (text: string) => `{"deliveryAddress":{"street":${text}}}`;
  it.each([
    [street('"Энхтайвны 5"'), street('" Энхтайвны 5\\n"'), equal],
    [street('"Энхтайвны 5"'), street('"Энхтайвны 6"'), differs('deliveryAddress.street')],
    [street('"энхтайвны 5"'), street('"Энхтайвны 5"'), differs('deliveryAddress.street')],
    [street('"Энхтайвны 5"'), street('""'), notCompared('deliveryAddress.street')],
    [street('"Энхтайвны 5"'), street('null'), notCompared('deliveryAddress.street')],
    [street('"Энхтайвны 5"'), street('{"line1":"Энхтайвны 5"}'), notCompared('deliveryAddress.street')],
    [street('"Энхтайвны 5"'), '{"deliveryAddress":"Энхтайвны 5"}', notCompared('deliveryAddress.street')],
    [street('"Энхтайвны 5"'), '{}', notCompared('deliveryAddress.street')],
    [street('""'), street('"Энхтайвны 5"'), equal],
    ['{}', street('"Энхтайвны 5"'), equal],
    ['{"deliveryAddress":{"postalCode":"14200"}}', '{"deliveryAddress":{"postalCode":14200}}', equal],
    [
      '{"deliveryAddress":{"postalCode":"01420"}}',
      '{"deliveryAddress":{"postalCode":"1420"}}',
      differs('deliveryAddress.postalCode'),
    ],
    ['{"deliveryAddress":{"door":"1"}}', '{"deliveryAddress":{"door":"2"}}', equal],
    ['{"gift":"yes"}', '{"gift":"no"}', equal],
  ])('%s and %s', (sent, found, expected) => {
    expect(compare(sent, found)).toEqual(expected);
  });

  it('does not hold the data of a customer that the service knew against an order', () => {
    const customer = (name: string) => `{"customer":{"phone":"99112233","name":"${name}"}}`;
    expect(compare(customer('Бат'), customer('Бат'))).toEqual(equal);
    expect(compare(customer('Бат'), customer('Б. Бат'))).toEqual(notCompared('customer.name'));
    const places = resolvePlaces({ name: 'recipient' });
    expect(compare('{"recipient":"Бат"}', '{"recipient":"Дорж"}', places)).toEqual(differs('recipient'));
  });

  const [quantity, price, item] = ['items[].quantity', 'items[].unitPrice', 'items[].name'] as const;
  it.each([
    ['[{"sku":"A","quantity":2}]', '[{"sku":"A","quantity":2}]', equal],
    ['[{"sku":"A","quantity":2}]', '[{"sku":"A","quantity":"2.0"}]', equal],
    ['[{"sku":"A","quantity":2}]', '[{"sku":"A","quantity":3}]', differs(quantity)],
    ['[{"sku":"A","quantity":"10"}]', '[{"sku":"A","quantity":"010.00"}]', equal],
    ['[{"sku":"A","quantity":"10"}]', '[{"sku":"A","quantity":"1"}]', differs(quantity)],
    ['[{"sku":"A","quantity":"2 x"}]', '[{"sku":"A","quantity":"2 x"}]', equal],
    ['[{"sku":"A","unitPrice":"8900.50"}]', '[{"sku":"A","unitPrice":8900.5}]', equal],
    ['[{"sku":"A","unitPrice":"8900.50"}]', '[{"sku":"A","unitPrice":8900.05}]', differs(price)],
    [
      '[{"sku":"A","quantity":1,"unitPrice":"5.0"},{"sku":"A","quantity":2,"unitPrice":"7"}]',
      '[{"sku":"A","quantity":2,"unitPrice":"5"},{"sku":"A","quantity":1,"unitPrice":"7"}]',
      differs(quantity),
    ],
    [
      '[{"sku":"A","quantity":1},{"sku":"A","quantity":1}]',
      '[{"sku":"A","quantity":1},{"sku":"A","quantity":2}]',
      differs(quantity),
    ],
    ['[{"sku":"A","quantity":2}]', '[{"sku":"A"}]', notCompared(quantity)],
    ['[{"sku":"A","quantity":2}]', '[{"sku":"A","quantity":null}]', notCompared(quantity)],
    ['[{"sku":"A"}]', '[{"sku":"A","quantity":1}]', equal],
    ['[{"sku":"A","unitPrice":"8900"}]', '[{"sku":"A","unitPrice":8900.00}]', equal],
    ['[{"sku":"A","unitPrice":"8900"}]', '[{"sku":"A","unitPrice":"890"}]', differs(price)],
    [
      '[{"sku":"A","quantity":1},{"sku":"B","quantity":2}]',
      '[{"sku":"B","quantity":2},{"sku":"A","quantity":1}]',
      equal,
    ],
    [
      '[{"sku":"A","quantity":1},{"sku":"B","quantity":2}]',
      '[{"sku":"A","quantity":2},{"sku":"B","quantity":1}]',
      differs(quantity),
    ],
    [
      '[{"sku":"A","quantity":1},{"sku":"A","quantity":2}]',
      '[{"sku":"A","quantity":2},{"sku":"A","quantity":1}]',
      equal,
    ],
    [
      '[{"sku":"A","quantity":1},{"sku":"A","quantity":2}]',
      '[{"sku":"A","quantity":2},{"sku":"A"}]',
      notCompared(quantity),
    ],
    [
      '[{"sku":"A","quantity":1},{"sku":"A","quantity":1}]',
      '[{"sku":"A","quantity":2},{"sku":"A"}]',
      differs(quantity),
    ],
    ['[{"sku":"A","quantity":1},{"sku":"A"}]', '[{"sku":"A","quantity":9},{"sku":"A","quantity":1}]', equal],
    [
      '[{"name":"x","quantity":1},{"name":"y","quantity":2}]',
      '[{"name":"y","quantity":2},{"name":"x","quantity":1}]',
      equal,
    ],
    [
      '[{"name":"x","quantity":1},{"name":"y","quantity":2}]',
      '[{"name":"x","quantity":2},{"name":"y","quantity":1}]',
      differs(quantity),
    ],
    ['[{"sku":"A","name":"tea"}]', '[{"sku":"A","name":"Tea 500 g"}]', equal],
    ['[{"name":"tea"}]', '[{"name":"Tea 500 g"}]', differs(item)],
    ['[{"sku":"A","quantity":1}]', '[{"sku":"B","quantity":2}]', differs('items')],
    ['[{"sku":"A","quantity":1},{"sku":"B","quantity":1}]', '[{"sku":"A","quantity":1}]', differs('items')],
  ])('%s and %s', (sent, found, expected) => {
    expect(compare(`{"items":${sent}}`, `{"items":${found}}`)).toEqual(expected);
  });

  it('compares lines by position-free values when no SKU is shown', () => {
    const sent = '{"items":[{"sku":"A","quantity":1},{"sku":"B","quantity":2}]}';
    const found = (last: number) => `{"items":[{"quantity":2},{"quantity":${last}}]}`;
    expect(compare(sent, found(1))).toEqual(notCompared('items'));
    expect(compare(sent, found(3))).toEqual({ differing: [quantity], notCompared: ['items'] });
    expect(compare(sent, '{}')).toEqual({ differing: [], notCompared: ['items', quantity] });
  });

  it('looks at the places of the profile', () => {
    const places = resolvePlaces({ quantity: 'items[].qty', 'address.city': 'delivery.city' });
    const order = (qty: number, city: string) => `{"items":[{"qty":${qty}}],"delivery":{"city":"${city}"}}`;
    expect(compare(order(1, 'УБ'), order(1, 'УБ'), places)).toEqual(equal);
    expect(compare(order(1, 'УБ'), order(2, 'Дархан'), places).differing).toEqual([
      'delivery.city',
      'items[].qty',
    ]);
    const elsewhere = '{"items":[{"quantity":2}],"deliveryAddress":{"city":"Дархан"}}';
    expect(compare(order(1, 'УБ'), elsewhere, places).notCompared).toEqual(['delivery.city', 'items[].qty']);
  });
});
