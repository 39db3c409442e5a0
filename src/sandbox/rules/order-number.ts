/** `ORD-<year>-<sequence>` (interface section 2.1); the sequence has at least six digits. */
export function orderNumber(year: number, sequence: number): string {
  return `ORD-${year}-${String(sequence).padStart(6, '0')}`;
}
