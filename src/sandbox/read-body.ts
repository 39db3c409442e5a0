import { isJsonObject, type Json, type JsonObject, parseJson } from '../orders/json.ts';
import type { SandboxContext } from './parts.ts';
import { Refusal } from './refusal.ts';

const largest = 1024 * 1024;

/** The bytes of the body, of which no more is held than the limit, whether or not its length was told. */
export async function readBody({ req }: SandboxContext): Promise<Uint8Array> {
  const told = req.header('Content-Length');
  if (Number(told ?? 0) > largest) throw tooLarge();
  if (told !== undefined) return new Uint8Array(await req.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of req.raw.body ?? []) {
    size += chunk.length;
    if (size > largest) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Body bytes → JSON object, digits as they were written. */
export function parseBody(bytes: Uint8Array): JsonObject {
  const body = parseBytes(bytes);
  if (!isJsonObject(body)) throw new Refusal('bodyNotJson', 'The body is not a JSON object');
  return body;
}

function parseBytes(bytes: Uint8Array): Json {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Refusal('bodyNotJson', `The body is not JSON: ${detail}`);
  }
}

function tooLarge(): Refusal {
  return new Refusal('bodyTooLarge', `The body has more than ${largest} bytes`);
}
