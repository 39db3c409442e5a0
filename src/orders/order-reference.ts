const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const orderNumberShape = /^ORD-\d{4}-\d+$/;

/** What a person may call an order by (interface section 2.1). */
export const referenceKinds = ['id', 'number', 'external'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** The ways to read a reference, most likely first: any text may be somebody's own order id. */
export function readingsOf(reference: string): ReferenceKind[] {
  if (isUuid(reference)) return ['id', 'external'];
  if (orderNumberShape.test(reference)) return ['number', 'external'];
  return ['external'];
}
