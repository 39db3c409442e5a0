import { describe, expect, it } from 'vitest';
import { isPickup, methodOf, orderStateOf, paymentStateOf } from '../../src/import/words.ts';

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
  ])('is false for %s', (method) => {
    expect(isPickup(method)).toBe(false);
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
    ['On hold', 'unknown'],
  ])('%s is %s', (text, state) => {
    expect(orderStateOf(text)).toBe(state);
  });
});
