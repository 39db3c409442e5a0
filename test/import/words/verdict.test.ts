import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isOnDeliveryNote,
  isPickup,
  isPickupNote,
  isPickupPlace,
  methodOf,
  normaliseWords,
  orderStateOf,
  paymentStateOf,
  pickups,
  wholePickups,
} from '../../../src/import/words/verdict.ts';

describe('isPickup', () => {
  it.each([
    'Store pickup',
    'Pickup',
    'Local pickup',
    'local_pickup',
    'local_pickup:3',
    'PICKUP_LOCATION',
    'In-store pick up',
    'in_store',
    'inStorePickup',
    'Main shop (Pick-Up)',
    'Self-collection',
    'Store collect',
    'Curbside',
    'Click & Collect',
    'click_and_collect',
    'Самовывоз',
    'Өөрөө авах',
    'өөрөө ирж авна',
    'Очиж авна',
    'Дэлгүүрээс авах',
    'Салбараас авна',
    'Оффисоос авах',
    'Envío a sucursal',
    'Envio - Sucursal',
    'takeaway',
    'Take-away',
    'Local collection',
    'Customer collects',
    'Collect from store',
    'Collect in store (free)',
    'Click & collect',
    'Очиж авъя',
    'Ирээд авна',
    'Салбар дээр очоод авна',
    'Агуулахаас авна',
    'Хүргэлтгүй',
    'Store pickup, no pickup on Sunday',
  ])('is true for %s', (method) => {
    expect(isPickup(method)).toBe(true);
  });

  it.each([
    '',
    'Standard',
    'Flat rate',
    'Хүргэлт',
    'Picked up by courier',
    'Pickups',
    'Drop-in storehouse',
    'Өөрийн машинаар хүргэх',
    'Дэлгүүрээс хүргэх',
    'Express',
    'Collect cash',
    'No pickup',
    'no_pickup',
    'noPickup',
    'Not for pick-up',
    'Pickup by courier',
    'Pick up by driver',
    'Courier pickup',
    'Courier Door to Door',
    'Takeaway cup 250 ml',
    'Хүргэлттэй',
    'Очиж авахгүй',
    'Без самовывоза',
  ])('is false for %s', (method) => {
    expect(isPickup(method)).toBe(false);
  });
});

it('finds a phrase only as whole words, or anywhere when its script has no spaces', () => {
  const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
  const words = [
    ...pickups,
    ...wholePickups,
    ...pickups.flatMap((phrase) => phrase.split(' ')),
    'shop',
    'э',
    'up',
    '店',
  ];
  const part = fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', ' ', ' ', 'x', ''));
  const text = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.flat().join(''));
  fc.assert(
    fc.property(text, (cell) => {
      const whole = ` ${normaliseWords(cell)} `;
      const isFound = pickups.some((phrase) =>
        whole.includes(unspaced.test(phrase) ? phrase : ` ${phrase} `),
      );
      expect(isPickup(cell)).toBe(isFound || wholePickups.includes(whole.trim()));
    }),
    { numRuns: 2000 },
  );
});

describe('isPickupPlace', () => {
  it('finds the phrases of several words, and others as whole cells, however they are spelt', () => {
    const words = [...pickups, ...pickups.flatMap((phrase) => phrase.split(' ')), 'shop', '12'];
    const separator = fc.constantFrom(' ', ' ', '-', ', ', '  ', '');
    const isUpper = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
    const part = fc
      .tuple(fc.constantFrom(...words), separator, isUpper)
      .map(([word, end, [upper, y, yo]]) => {
        const spelt = word.replaceAll('и', y ? 'й' : 'и').replaceAll('е', yo ? 'ё' : 'е');
        return (upper ? spelt.toUpperCase() : spelt) + end;
      });
    const several = pickups.filter((phrase) => phrase.includes(' '));
    const text = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (cell) => {
        const folded = normaliseWords(cell);
        const isInside = several.some((phrase) => ` ${folded} `.includes(` ${phrase} `));
        expect(isPickupPlace(cell)).toBe(isInside || pickups.includes(folded));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    'Өөрөө авна',
    'дэлгүүрээс авна',
    'Самовывоз',
    'Point relais, 12 rue du Bac',
    'Pickup',
    'Ирээд авна',
  ])('is true for %s', (address) => {
    expect(isPickupPlace(address)).toBe(true);
  });
  it.each([
    '',
    'БЗД 5-р хороо',
    'Retiro, Buenos Aires',
    'Calle Recogida 4',
    'Pickup street 5',
    'Cod Lane 2',
    'Peace Avenue 5, pick up by courier',
  ])('is false for %s', (address) => {
    expect(isPickupPlace(address)).toBe(false);
  });
});

describe('a note', () => {
  it.each(['өөрөө ирж авна', 'Самовывоз.', 'pick up', 'Очиж авъя'])(
    '%s says that the customer comes',
    (note) => {
      expect(isPickupNote(note)).toBe(true);
    },
  );
  it.each(['pick up the phone please', 'салбараас авна гэсэн ч хүргэнэ', ''])('%s does not', (note) => {
    expect(isPickupNote(note)).toBe(false);
  });
  it.each(['хүргэлтээр төлнө', 'COD', 'COD 15000', 'хүргэлтэд төлөх 15 000₮', 'Cash on delivery.'])(
    '%s says that the courier collects',
    (note) => {
      expect(isOnDeliveryNote(note)).toBe(true);
    },
  );
  it.each(['the cod is fresh', 'хүргэлтээр төлнө гэж байсан, төлсөн', '15000', ''])('%s does not', (note) => {
    expect(isOnDeliveryNote(note)).toBe(false);
  });
});

describe('methodOf', () => {
  it.each([
    ['Cash on Delivery (COD)', 'on_delivery'],
    ['COD', 'on_delivery'],
    ['Хүргэлтээр төлөх', 'on_delivery'],
    ['оплата при получении', 'on_delivery'],
    ['Kapıda Ödeme', 'on_delivery'],
    ['à cobrança', 'on_delivery'],
    ['代金引換', 'on_delivery'],
    ['货到付款', 'on_delivery'],
    ['到付', 'unknown'],
    ['płatność przy odbiorze', 'on_delivery'],
    ['GCash', 'other'],
    ['Cash before delivery', 'other'],
    ['QPay', 'other'],
    ['Mercado Pago Checkout Pro', 'other'],
    ['Pago Nube', 'other'],
    ['Bank Deposit', 'other'],
    ['manual', 'other'],
    ['Бэлэн', 'cash'],
    ['Cash', 'cash'],
    ['着払い', 'unknown'],
    ['Discount code', 'unknown'],
    ['Código 12', 'unknown'],
    ['', 'unknown'],
  ])('%s is %s', (text, method) => {
    expect(methodOf(text)).toBe(method);
  });
});

describe('paymentStateOf', () => {
  it.each([
    ['PAID', 'paid'],
    ['төлөгдсөн', 'paid'],
    ['төлөгдөөгүй', 'open'],
    ['Authorized', 'open'],
    ['хагас төлсөн', 'partly_paid'],
    ['not paid', 'open'],
    ['paid soon', 'unknown'],
    ['QPay төлсөн', 'paid'],
    ['Paid (card)', 'paid'],
    ['карт төлөөгүй', 'open'],
    ['not paid, card', 'open'],
    ['❌ Төлөөгүй', 'open'],
    ['✅', 'paid'],
    ['✗', 'open'],
    ['Тийм', 'paid'],
    ['Үгүй', 'open'],
    ['COD paid', 'unknown'],
    ['paid by cousin', 'unknown'],
  ])('%s is %s', (text, state) => {
    expect(paymentStateOf(text)).toBe(state);
  });
});

describe('orderStateOf', () => {
  it.each([
    ['canceled', 'cancelled'],
    ['Цуцлагдсан', 'cancelled'],
    ['Отменён', 'cancelled'],
    ['wc-refunded', 'refunded'],
    ['Entregado', 'fulfilled'],
    ['Дууссан', 'completed'],
    ['No está empaquetado', 'to_deliver'],
    ['Шинэ', 'to_deliver'],
    ['partial', 'unknown'],
    ['Хүргэлтэнд', 'fulfilled'],
    ['已签收', 'fulfilled'],
    ['배송준비중', 'to_deliver'],
    ['🚚 Хүргэгдсэн', 'fulfilled'],
    ['not cancelled', 'unknown'],
    ['On hold', 'unknown'],
  ])('%s is %s', (text, state) => {
    expect(orderStateOf(text)).toBe(state);
  });
});

describe('normaliseWords', () => {
  it('gives common letters what the rules for every script give them', () => {
    const common = fc.string({ unit: fc.constantFrom(...' -_&"#№йЙёЁАЯаяөҮӨүzZaZ09.,~') });
    fc.assert(
      fc.property(common, fc.string({ unit: 'grapheme-ascii' }), (text, ascii) => {
        // With one more letter, the text is no longer a common one.
        const whole = normaliseWords(`${text}${ascii} é`);
        expect(normaliseWords(text + ascii)).toBe(whole.slice(0, -1).trim());
      }),
    );
  });
});
