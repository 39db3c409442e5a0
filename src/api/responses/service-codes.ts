import { type Advice, advice, again } from '../../advice/advice.ts';
import { isJsonObject, type Json, parseJson } from '../../orders/json.ts';
import type { ServiceResponse } from '../http/attempt-result.ts';
import { decodeEntities } from './xml-text.ts';

const orderHint = advice`Fix what the message names, then run the same command again.${again()}`;

const hints = new Map<string, Advice>([
  [
    'PRODUCT_SKU_NOT_FOUND',
    'Check the SKU. If it is right, ask the platform to add the product, or leave the SKU out for an item that is not in the catalogue.',
  ],
  [
    'PRODUCT_SKU_INACTIVE',
    'This product is not active. Ask the platform to activate it, choose another product, or leave the SKU out.',
  ],
  [
    'CUSTOMER_PHONE_AMBIGUOUS',
    'Two customers share this phone. Add --external-customer-id (in a file: customer.externalCustomerId) with the ID you used for this customer before, or ask the platform to merge them.',
  ],
  ['MERCHANT_API_INVALID_ORDER', orderHint],
]);

export const knownServiceCodes: ReadonlySet<string> = new Set(hints.keys());

/** Most rejections of a cancellation are final: the order was delivered, or is on its way. */
const cancellationHint =
  'It stays as it is. If it must still be stopped, call the operator of the service. If the message is about the reason, give another one with --reason.';

export function hintFor(serviceCode: string | undefined, isCancellation = false): Advice {
  return isCancellation ? cancellationHint : (hints.get(serviceCode ?? '') ?? orderHint);
}

const anyKnownCode = new RegExp([...knownServiceCodes].join('|'));
const oneKnownCode = new RegExp(`  (${[...knownServiceCodes].join('|')})  `);
const maxEchoes = 20;

/**
 * The code of interface section 7 that stands in a 4xx body as a whole word, at any depth and in any text: first in a
 * field named `code`, then as a value of its own, as a name, and in a longer text. Text that the request holds is an echo.
 */
export function findKnownCode({ status, text, body, requestBody }: ServiceResponse): string | undefined {
  if (status < 400 || status > 499 || !anyKnownCode.test(text)) return undefined;
  const echoes = echoesIn(requestBody);
  if (echoes.length > maxEchoes) return undefined;
  if (body === undefined) return codeIn(decodeEntities(text), echoes);
  let best: { code: string; rank: number } | undefined;
  const consider = (found: string, rank: number) => {
    if (!anyKnownCode.test(found) || (best !== undefined && best.rank <= rank)) return;
    const code = codeIn(found, echoes);
    if (code !== undefined) best = { code, rank };
  };
  // Breadth first: the outer one of two codes wins.
  for (let level: [string, Json][] = [['', body]]; level.length > 0; level = level.flatMap(membersOf)) {
    for (const [name, value] of level) {
      consider(name, 2);
      if (typeof value === 'string') consider(value, rankOf(name, value));
    }
  }
  return best?.code;
}

function rankOf(name: string, value: string): number {
  if (!knownServiceCodes.has(value.trim().split(/[/#:]/).at(-1) ?? '')) return 3;
  return /code$/i.test(name) ? 0 : 1;
}

function membersOf([, value]: [string, Json]): [string, Json][] {
  if (Array.isArray(value)) return value.map((item) => ['', item]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

export function textsSent(requestBody = 'null'): ReadonlySet<string> {
  const texts = new Set<string>();
  for (
    let level: [string, Json][] = [['', parseJson(requestBody)]];
    level.length > 0;
    level = level.flatMap(membersOf)
  ) {
    for (const text of level.flat()) if (typeof text === 'string') texts.add(text);
  }
  return texts;
}

function echoesIn(requestBody: string | undefined): string[] {
  const texts = [...textsSent(requestBody)].filter((text) => anyKnownCode.test(text));
  return [...new Set(texts.map(asWords))].sort((one, other) => other.length - one.length);
}

function codeIn(text: string, echoes: readonly string[]): string | undefined {
  return oneKnownCode.exec(echoes.reduce((words, echo) => words.replaceAll(echo, '  '), asWords(text)))?.[1];
}

/** Each word between two spaces on either side, so that quotes and escapes do not hide an echo. */
function asWords(text: string): string {
  return `  ${(text.replace(/\\[bfnrt]/g, ' ').match(/[\p{L}\p{N}_]+/gu) ?? []).join('    ')}  `;
}
