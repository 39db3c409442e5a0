import { formatFieldPath } from '../orders/field-path.ts';
import { isJsonNumber, type Json } from '../orders/json.ts';
import { oneLine } from './message-text.ts';

const longestPath = 200;
/** What a path may begin with that is no part of the order. */
const outside = [['$'], ['#'], ['body'], ['data', 'attributes']];

/**
 * The path of a field as this tool writes it, `items[0].sku`, from a JSON pointer (RFC 6901), dots, brackets or a
 * list of steps. Undefined when there is none.
 */
export function readFieldPath(value: Json | undefined): string | undefined {
  const steps = typeof value === 'string' ? split(value) : Array.isArray(value) ? value.map(stepOf) : [];
  const named = steps.filter((step) => step.trim() !== '');
  const prefix = outside.find((names) => names.every((name, place) => named[place] === name)) ?? [];
  const path = named.slice(prefix.length);
  if (path.length === 0) return undefined;
  const text = oneLine(formatFieldPath(path.map((step) => (/^\d{1,9}$/.test(step) ? Number(step) : step))));
  return text === '' ? undefined : text;
}

function split(text: string): string[] {
  const short = text.slice(0, longestPath).trim();
  if (!/^#?\//.test(short)) return short.split(/[.[\]]+/);
  return short.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function stepOf(step: Json): string {
  return isJsonNumber(step) ? step.toString() : typeof step === 'string' ? step : '';
}
