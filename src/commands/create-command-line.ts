import { isJsonObject, type Json, type JsonObject, writeJson } from '../orders/json.ts';
import type { Order } from '../orders/order.ts';
import { formatCommandLine } from '../output/command-line.ts';
import type { Settings } from '../settings.ts';

/** The command that creates this order without a question, ready to paste into a shell. */
export function formatCreateCommand(
  order: Order,
  { sandbox, profile }: Pick<Settings, 'sandbox' | 'profile'>,
): string {
  const {
    externalOrderId,
    customer,
    items,
    collectionMode,
    collectionAmount,
    total,
    requestedDeliveryDate,
    ...others
  } = order;
  const { phone, externalCustomerId, ...customerOthers } = isJsonObject(customer) ? customer : {};
  const words = [
    ...textFlag('--external-order-id', externalOrderId),
    ...textFlag('--phone', phone),
    ...textFlag('--external-customer-id', externalCustomerId),
    ...(Array.isArray(items) ? items.flatMap((line) => ['--item', lineSpec(line)]) : []),
    ...(collectionMode === 'COLLECT' ? textFlag('--collect', collectionAmount) : []),
    ...(collectionMode === 'NONE' ? ['--prepaid'] : []),
    ...textFlag('--total', total),
    ...textFlag('--delivery-date', requestedDeliveryDate),
    ...assignments(customerOthers, 'customer.').flatMap((assignment) => ['--set', assignment]),
    ...assignments(others, '').flatMap((assignment) => ['--set', assignment]),
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile?.source === 'flag' ? ['--profile', profile.value] : []),
  ];
  return formatCommandLine(['create', ...words]);
}

function textFlag(flag: string, value: Json | undefined): string[] {
  return typeof value === 'string' ? [flag, value] : [];
}

function lineSpec(line: Json): string {
  if (!isJsonObject(line)) return '';
  const { sku, ...others } = line;
  const isPlainSku = typeof sku === 'string' && Object.keys(others).length === 0 && !sku.includes('=');
  return isPlainSku ? sku : assignments(line, '').join(',');
}

function assignments(fields: JsonObject, prefix: string): string[] {
  return Object.entries(fields).map(([key, value]) => {
    const isPlain = typeof value === 'string' && !/[",[\]{}]/.test(value);
    return isPlain ? `${prefix}${key}=${value}` : `${prefix}${key}:=${writeJson(value)}`;
  });
}
