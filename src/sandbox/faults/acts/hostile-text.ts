import { isJsonObject, type Json, parseJson, writeJson } from '../../../orders/json.ts';
import { statedFields } from '../../../orders/order.ts';
import type { hostileTexts } from '../actions.ts';

const payloads: Record<(typeof hostileTexts)[number], string> = {
  escape: '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\u0000',
  bidi: '\u202egnp.\u2066\u200f',
  formula: '=HYPERLINK("http://127.0.0.1/","x")',
  proto: '__proto__',
};

/** What names an order, or is compared with what was sent: changed, it would be another order. */
const untouched = new Set<string>([...statedFields, 'id', 'orderNumber', 'status']);

/** The body of an answer: JSON stays JSON, other text gets hostile text after it. */
export function makeTextHostile(text: string, kind: keyof typeof payloads): string {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const json = readJson(text.slice(mark.length));
  return json === undefined ? text + payloads[kind] : mark + writeJson(makeHostile(json, kind));
}

function readJson(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Every text that an answer holds beyond what names and states an order, and a member more in each object. */
export function makeHostile(value: Json, kind: keyof typeof payloads): Json {
  const payload = payloads[kind];
  const change = (inner: Json): Json => {
    if (typeof inner === 'string') return kind === 'formula' ? payload + inner : inner + payload;
    if (Array.isArray(inner)) return inner.map(change);
    if (!isJsonObject(inner)) return inner;
    const members = Object.entries(inner).map(([name, member]): [string, Json] => [
      name,
      untouched.has(name) ? member : change(member),
    ]);
    return Object.fromEntries([...members, [kind === 'proto' ? '__proto__' : `note${payload}`, payload]]);
  };
  return change(value);
}
