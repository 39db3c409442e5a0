import { again, type Text, t } from '../../advice/advice.ts';
import { isJsonObject, type Json } from '../../orders/json.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { decodeEntities } from './page-text.ts';

const orderHint = t`Fix what the message names, then run the same command again.${again()}`;

const hints = new Map<string, Text>([
  [
    'PRODUCT_SKU_NOT_FOUND',
    t`Check the SKU. If it is right, ask the platform to add the product, or leave the SKU out for an item that is not in the catalogue.`,
  ],
  [
    'PRODUCT_SKU_INACTIVE',
    t`This product is not active. Ask the platform to activate it, choose another product, or leave the SKU out.`,
  ],
  [
    'CUSTOMER_PHONE_AMBIGUOUS',
    t`Two customers share this phone. Add --external-customer-id (in a file: customer.externalCustomerId) with the ID you used for this customer before, or ask the platform to merge them.`,
  ],
  ['MERCHANT_API_INVALID_ORDER', orderHint],
]);

export const knownServiceCodes: ReadonlySet<string> = new Set(hints.keys());

/** Most rejections of a cancellation are final: the order was delivered, or is on its way. */
const cancellationHint = t`It stays as it is. If it must still be stopped, call the operator of the service. If the message is about the reason, give another one with --reason.`;

export function hintFor(serviceCode: string | undefined, isCancellation = false): Text {
  return isCancellation ? cancellationHint : (hints.get(serviceCode ?? '') ?? orderHint);
}

const anyKnownCode = new RegExp([...knownServiceCodes].join('|'));
const eachKnownCode = new RegExp(`(?<=  )(?:${[...knownServiceCodes].join('|')})(?=  )`, 'g');
const maxEchoes = 20;

/**
 * The code of interface section 7 that stands in a 4xx body as a whole word, at any depth and in any text: first in a
 * field named `code`, then as a value of its own, as a name, and in a longer text. Text that the request holds is an
 * echo, and a text, a list of texts or a set of names with several codes is documentation.
 */
export function findKnownCode({ status, text, body, requestBody }: ServiceResponse): string | undefined {
  if (status < 400 || status > 499 || !anyKnownCode.test(text)) return undefined;
  const echoes = [...textsSent(requestBody)].filter((sent) => anyKnownCode.test(sent)).map(asWords);
  if (echoes.length > maxEchoes) return undefined;
  echoes.sort((one, other) => other.length - one.length);
  let best: { code: string; rank: number } | undefined;
  let level: NamedValue[] = [['', body ?? decodeEntities(text)]];
  // Breadth first: the outer one of two codes wins.
  for (; level.length > 0; level = level.flatMap(membersOf)) {
    for (const [name, value] of level) {
      if (typeof value !== 'string' || !anyKnownCode.test(value)) continue;
      const rank = rankOf(name, value);
      if (best !== undefined && best.rank <= rank) continue;
      const words = echoes.reduce((left, echo) => left.replaceAll(echo, '  '), asWords(value));
      const [code, ...others] = new Set(words.match(eachKnownCode));
      if (code !== undefined && others.length === 0) best = { code, rank };
    }
  }
  return best?.code;
}

/** Without a name: the names of an object. */
type NamedValue = [name: string | undefined, value: Json];

function rankOf(name: string | undefined, value: string): number {
  if (name === undefined) return 2;
  if (!knownServiceCodes.has(value.trim().split(/[/#:]/).at(-1) ?? '')) return 3;
  return /code$/i.test(name) ? 0 : 1;
}

/** The texts of a list are one text. */
function membersOf([, value]: NamedValue): NamedValue[] {
  if (isJsonObject(value)) return [[undefined, Object.keys(value).join('\n')], ...Object.entries(value)];
  if (!Array.isArray(value)) return [];
  const texts = value.filter((item) => typeof item === 'string');
  const others = value.filter((item) => typeof item !== 'string');
  return [texts.join('\n'), ...others].map((item) => ['', item]);
}

export function textsSent(requestBody = 'null'): ReadonlySet<string> {
  const texts = new Set<string>();
  JSON.parse(requestBody, (name, value) => {
    for (const text of [name, value]) if (typeof text === 'string') texts.add(text);
  });
  return texts;
}

/** Each word between two spaces on either side, so that quotes and escapes do not hide an echo. */
function asWords(text: string): string {
  return `  ${(text.replace(/\\[bfnrt]/g, ' ').match(/[\p{L}\p{N}_]+/gu) ?? []).join('    ')}  `;
}
