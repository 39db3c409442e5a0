const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const orderNumberShape = /^ORD-\d{4}-\d+$/i;

export const referenceKinds = ['id', 'number', 'external'] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** The service writes order numbers in capitals (interface section 2.1). */
export function toOrderNumber(text: string): string {
  return orderNumberShape.test(text) ? text.toUpperCase() : text;
}

/** What a reference may be, most likely kind first: any text may be an external order ID. */
export function readingsOf(reference: string): ReferenceKind[] {
  if (isUuid(reference)) return ['id', 'external'];
  if (orderNumberShape.test(reference)) return ['number', 'external'];
  return ['external'];
}
