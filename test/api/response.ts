import type { ServiceResponse } from '../../src/api/http/attempt-result.ts';
import { parseJson } from '../../src/orders/parse-json.ts';

/** A response as the transport returns it. */
export function responseOf(
  status: number,
  text = '',
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return { kind: 'response', status, headers, text, body: parse(text) };
}

function parse(text: string) {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
