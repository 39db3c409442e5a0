import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, writeJson } from '../src/orders/json.ts';
import { createRedaction, maskKey, redactJson } from '../src/redact.ts';
import { echoes, key, keyIn } from './support/echoes.ts';

function redactionOf(...keys: string[]) {
  const redaction = createRedaction();
  for (const one of keys) redaction.add(one);
  return redaction;
}

describe('a key in a text', () => {
  it.each(Object.entries(echoes))('is replaced: %s', (_, text) => {
    expect(keyIn(text)).toBeDefined();
    expect(keyIn(JSON.stringify(text))).toBeDefined();
    const redacted = redactionOf(key).redact(`before ${text} after`);
    expect(keyIn(redacted)).toBeUndefined();
    expect(redacted).toMatch(/^before .*…M4aT.* after$/s);
  });

  it('is replaced wherever it stands, and nothing else is', () => {
    const { redact } = redactionOf(key);
    expect(redact(`${key},${key}\t"${key}"\n${key}`)).toBe('…M4aT,…M4aT\t"…M4aT"\n…M4aT');
    expect(redact(`https://a.example/?key=${encodeURIComponent(key)}&n=1`)).toBe(
      'https://a.example/?key=…M4aT&n=1',
    );
    expect(redact('100 % of \\n &amp; \u001b[1mİ\u001b[22m %41')).toBe(
      '100 % of \\n &amp; \u001b[1mİ\u001b[22m %41',
    );
    expect(redact(`İ%20${key} İ`)).toBe('İ%20…M4aT İ');
  });

  it('is found by the quick search too, in the text and in what JSON in it says', () => {
    const redaction = redactionOf(key);
    const shown = fc.constantFrom(key, key.toUpperCase(), encodeURIComponent(key), ...Object.values(echoes));
    const around = fc.oneof(
      fc.string(),
      fc.constantFrom('Энхтайвны өргөн чөлөө 12, "', 'a & b', '<i>', '\n\t', '%2', '\ufe0f'),
    );
    fc.assert(
      fc.property(fc.option(shown), around, around, fc.boolean(), (secret, before, after, isName) => {
        const value = before + (secret ?? key.slice(1)) + after;
        const text = JSON.stringify(isName ? { [value]: 1 } : { a: [value] });
        const redacted = writeJson(redactJson(parseJson(text), redaction.redact));
        if (!redaction.mayChange(text)) expect(redacted).toBe(writeJson(parseJson(text)));
        if (secret === null) return;
        expect(redaction.mayChange(value)).toBe(true);
        expect(redaction.mayChange(text)).toBe(true);
      }),
    );
    const order = { customer: { phone: '+976 9911-2233' }, note: 'Ногоон дэлгүүр' };
    expect(redaction.mayChange(JSON.stringify(order))).toBe(false);
    expect(redaction.mayChange(JSON.stringify(order, null, 2))).toBe(false);
  });

  it('is found in base64 of any text around it', () => {
    fc.assert(
      fc.property(
        fc.string({
          minLength: 8,
          maxLength: 60,
          unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
        }),
        fc.string(),
        fc.string(),
        fc.constantFrom('base64', 'base64url'),
        (secret, before, after, encoding) => {
          const text = Buffer.from(before + secret + after).toString(encoding as BufferEncoding);
          expect(redactionOf(secret).redact(text)).not.toBe(text);
          expect(redactionOf(secret).redact(encodeURIComponent(secret))).toBe(maskKey(secret));
          expect(redactionOf(secret).redact(JSON.stringify(secret))).toContain(maskKey(secret));
        },
      ),
    );
  });

  it.each([
    ['with a backslash, URL-encoded', 'abc\\def/ghi+jkl=12', 'abc%5Cdef%2Fghi%2Bjkl%3D12'],
    ['with what looks like a code, URL-encoded', 'key%41bcdefgh', 'key%2541bcdefgh'],
    ['with what looks like a code, as it is', 'key%41bcdefgh', 'key%41bcdefgh'],
    ['with a quote and a backslash, in JSON', 'live_abc"DEF\\/xyz', 'live_abc\\"DEF\\\\\\/xyz'],
    ['with the codes of JSON', 'live_abcDEF1234567890+xyz', '\\u006cive_abcDEF1234567890\\u002Bxyz'],
    ['without four letters', 'live_abcDEF1234567890xyz', 'live_abcDEF123456789'],
  ])('is replaced %s', (_name, secret, text) => {
    expect(redactionOf(secret).redact(`Bearer ${text}.`)).toBe(`Bearer ${maskKey(secret)}.`);
  });

  it('may be one of several', () => {
    expect(redactionOf('first-key-1', 'second-key-2').redact('second-key-2 first-key-1')).toBe('…ey-2 …ey-1');
  });

  it('is left when it is so short that it could be any word', () => {
    expect(redactionOf('1234567').redact('ORD-2026-1234567')).toBe('ORD-2026-1234567');
    expect(redactionOf('12345678').redact('ORD-2026-12345678')).toBe('ORD-2026-…');
  });

  it('is left when so little of it stands there that it could be something else', () => {
    const { redact } = redactionOf('mk_live_7f3QxZ9bL', '976991122334455667788');
    expect(redact('mk_live_7f3QxZ9b mk_live_7f3QxZ9 mk_live_')).toBe('…Z9bL mk_live_7f3QxZ9 mk_live_');
    expect(redact('9769911223344556 97699112233445566')).toBe('9769911223344556 …7788');
    expect(redactionOf('97699112233').redact('9769911223')).toBe('9769911223');
    expect(redactionOf(key).redact(key.slice(0, -5))).toBe(key.slice(0, -5));
  });

  it.each([
    '\\',
    '%25',
    '&amp;',
    '&#x0',
    '<a',
    '<',
    '\t',
    '\n',
    ' ',
    key.slice(0, -1),
    key,
    `${key.slice(0, 9)}\n`,
  ])('is looked for in linear time in many %j', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(redactionOf(key).redact(text).length).toBeGreaterThan(0);
  });
});

describe('a key in JSON', () => {
  it('is replaced in texts, names and numbers, and an id with it is none', () => {
    const value = parseJson(
      '{"id":"o-12345678901","orderNumber":"N-12345678901","12345678901":[12345678901,1.50,true,null,{"id":"7"}]}',
    );
    const { redact } = redactionOf('12345678901');
    expect(writeJson(redactJson(value, redact))).toBe(
      '{"id":null,"orderNumber":"N-…8901","…8901":["…8901",1.50,true,null,{"id":"7"}]}',
    );
  });
});

it.each([
  ['mk_live_a1b2', '…a1b2'],
  ['123456789', '…6789'],
  ['12345678', '…'],
  ['', '…'],
])('shows the key %s as %s', (apiKey, masked) => {
  expect(maskKey(apiKey)).toBe(masked);
});
