import fc, { type Arbitrary } from 'fast-check';
import type { FuzzCase, Target } from '../case.ts';
import { damage, length, oddJson, oddObject, oddText } from '../text.ts';

const order = {
  externalOrderId: '"UB-1"',
  customer: '{"phone":"99112233"}',
  items: '[{"sku":"TEA-1","quantity":2}]',
  collectionMode: '"NONE"',
  total: '"25000"',
  requestedDeliveryDate: '"2026-12-01"',
};

function path(max: number): Arbitrary<string> {
  const step = fc.constantFrom('a', '[0]', '[999]', '.b', '[]', '[1000]', '.0', 'items[0]', '.__proto__');
  return fc.oneof(
    fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => steps.join('')),
    fc.tuple(fc.constantFrom('a.', '[999]', '.a', 'items[0].', '[0]'), length(max)).map(([unit, count]) => {
      return `a${unit.repeat(Math.ceil(count / unit.length))}${unit.endsWith('.') ? 'x' : ''}`;
    }),
    fc.constantFrom(
      'total',
      'items',
      'customer',
      'customer.phone',
      'items[5].sku',
      'externalOrderId',
      'collectionMode',
    ),
    oddText(max),
  );
}

function document(max: number): Arbitrary<Buffer> {
  const text = fc.oneof(
    { weight: 6, arbitrary: oddObject(order, max) },
    { weight: 2, arbitrary: oddJson(max) },
    { weight: 1, arbitrary: oddText(max) },
  );
  const plain = Buffer.from(`{${Object.entries(order).map(([name, value]) => `"${name}":${value}`)}}`);
  const wide = text.map((content) => Buffer.from(`\ufeff${content}`, 'utf16le'));
  return fc.oneof(
    { weight: 6, arbitrary: text.map((content) => Buffer.from(content)) },
    { weight: 2, arbitrary: damage(plain) },
    { weight: 1, arbitrary: wide },
  );
}

/** Orders as JSON: a file, standard input, and the values of flags. */
export const json: Target = {
  name: 'json',
  cases: (max) => {
    const flags = fc.array(
      fc.oneof(
        fc
          .tuple(path(max / 10), fc.constantFrom('=', ':='), oddJson(max / 10))
          .map((parts) => ['--set', parts.join('')]),
        fc
          .tuple(path(max / 10), oddJson(max / 10))
          .map(([name, value]) => ['--item', `sku=TEA-1,${name}:=${value}`]),
        oddText(max / 10).map((text) => ['--item', text]),
        fc.constantFrom(['--no-checks'], ['--dry-run'], ['--verbose'], ['--prepaid'], ['--collect', '1']),
      ),
      { maxLength: 3 },
    );
    return fc
      .record({
        document: document(max),
        flags,
        way: fc.constantFrom('file', 'stdin', 'none'),
        draw: fc.nat(11),
        isJson: fc.boolean(),
      })
      .map(({ document: bytes, flags: given, way, draw, isJson }): FuzzCase => {
        const whole = ['--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'];
        const source = { file: ['--file', 'order.json'], stdin: ['--file', '-'], none: whole }[way];
        return {
          args: ['create', ...source, ...given.flat(), '--yes', ...(isJson ? ['--json'] : [])],
          ...(way === 'stdin' ? { stdin: bytes } : { files: { 'order.json': bytes } }),
          isSpawned: draw === 0,
        };
      });
  },
};
