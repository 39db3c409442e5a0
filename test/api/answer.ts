import type { Answer } from '../../src/api/observation.ts';
import { parseJson } from '../../src/orders/json.ts';

/** An answer as the transport hands it over. */
export function answerOf(status: number, text = '', headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'answer', status, headers, text, body: parse(text) };
}

function parse(text: string) {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
