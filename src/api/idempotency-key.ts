import { createHash } from 'node:crypto';

/**
 * The `Idempotency-Key` of a create (interface section 4.1): a UUID of version 8 made from the SHA-256 of the
 * order's own id, the exact body and the generation. One order gives one key on every machine, so a request
 * that is sent again is recognised, and an order with other content is never answered in place of this one.
 */
export function idempotencyKey(externalOrderId: string, body: string, generation: number): string {
  const digest = createHash('sha256');
  for (const part of [externalOrderId, body, String(generation)]) {
    digest.update(`${Buffer.byteLength(part)}:`).update(part);
  }
  const hex = digest.digest('hex').slice(0, 32);
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
