const shape = /^(\d+)(\.\d+)?$/;

/** A decimal string as people read it: `25000.50` → `25,000.50 ₮`. Text that is no amount stays as it is. */
export function formatAmount(decimal: string): string {
  const [, whole, fraction = ''] = shape.exec(decimal) ?? [];
  if (whole === undefined) return decimal;
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${groups.join(',')}${fraction} ₮`;
}
