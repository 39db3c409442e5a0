import { hash } from 'node:crypto';

/** A UUID version 8 (interface section 4.1): the same for the same order on every machine, another one for other content. */
export function idempotencyKey(externalOrderId: string, body: string, generation: number): string {
  const parts = [externalOrderId, body, String(generation)].map(
    (part) => `${Buffer.byteLength(part)}:${part}`,
  );
  const hex = hash('sha256', parts.join('')).slice(0, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  const last = `8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${last}`;
}
