import { type Text, t } from '../../advice/advice.ts';
import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { type Order, orderLines, textField } from '../../orders/order.ts';
import { toLatin } from '../../orders/order-reference.ts';
import { widthOf } from '../../text-width.ts';

/** A connection, or where it will go. */
interface Service {
  profile: string | undefined;
  baseUrl: string | undefined;
}

const maxSkus = 20;
const maxSkuLength = 64;

/** Of orders created on this machine with this profile and service, newest first. */
export async function readUsedSkus(
  { skus }: Pick<Context, 'skus'>,
  { profile, baseUrl: service }: Service,
): Promise<string[]> {
  try {
    return (await skus.find({ profile, service }))?.skus ?? [];
  } catch (error) {
    if (error instanceof CliError) return [];
    throw error;
  }
}

/** The order exists, so a failure to write the list is not an error. */
export async function rememberSkus(
  { skus }: Pick<Context, 'skus'>,
  { profile, baseUrl: service }: Service,
  order: Order,
): Promise<void> {
  const used = orderLines(order).flatMap((line) => textField(line, 'sku') ?? []);
  const isShown = (sku: string) => sku !== '' && sku.length <= maxSkuLength && cleanCell(sku) === sku;
  const fresh = used.filter(isShown);
  // The embedded sandbox has a new address each time.
  if (fresh.length === 0 || profile === undefined || service === undefined) return;
  try {
    await skus.change({ profile, service }, (before) =>
      [...new Set([...fresh, ...before])].slice(0, maxSkus),
    );
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
}

/** `Codes used before: TEA-001, COF-001`, as many as fit. */
export function formatUsedSkus(skus: readonly string[], width: number, label: string): string {
  const [first, ...others] = skus;
  return others.reduce((text, sku) => {
    const longer = `${text}, ${sku}`;
    return widthOf(longer) < width ? longer : text;
  }, `${label} ${first}`);
}

/** The SKU used before that looks the same: `TEA-001` for `ТЕА-001` in Cyrillic letters. */
export function usedLookAlike(sku: string, usedSkus: readonly string[]): string | undefined {
  const isOther = (used: string) =>
    used.toUpperCase() !== sku.toUpperCase() && toLatin(used) === toLatin(sku);
  return usedSkus.includes(sku) ? undefined : usedSkus.find(isOther);
}

export function otherAlphabet(sku: string, used: string): Text {
  return t`"${cleanCell(sku)}" looks like "${used}", which was used before, but has letters of the other alphabet, Cyrillic or Latin.`;
}
