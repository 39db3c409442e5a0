import { isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';

/** The objects of an error body that may describe the error, the most specific first: at most six. */
export function errorObjects(body: Json | undefined): JsonObject[] {
  const error = member(body, 'error');
  const errors = member(body, 'errors');
  const nested = member(error, 'error') ?? member(member(body, 'data'), 'error');
  const fault = member(body, 'fault');
  const top = Array.isArray(body) ? body[0] : body;
  return [nested, error, fault, member(fault, 'detail'), top, firstOf(errors)].filter(isJsonObject);
}

export function firstText(
  objects: readonly Json[],
  names: readonly string[],
  accepts: (text: string, name: string) => boolean,
): string | undefined {
  for (const object of objects) {
    for (const name of names) {
      const text = textOf(member(object, name));
      if (text !== undefined && text.trim() !== '' && accepts(text, name)) return text;
    }
  }
  return undefined;
}

const maxTexts = 20;

export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const texts = value.slice(0, maxTexts).filter((item) => typeof item === 'string');
  return texts.length === 0 ? undefined : texts.join('; ');
}

function firstOf(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

/** Without a bound, the patterns below take minutes on a hostile page. */
const maxPageLength = 20_000;
const maxMessageLength = 300;
const pageShape = /<(?:!doctype|html|head|title|body|center|div|span|script|style|h[1-6]|p|pre|br|hr)[\s/>]/i;
const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' };

/** Text of the service on one line, without control characters and lone surrogates, cut to 300 characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, maxPageLength)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  if (line.length <= maxMessageLength) return line;
  return `${line.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The text of an HTML page; any other text unchanged. */
export function textOfPage(page: string): string {
  const start = page.slice(0, maxPageLength);
  if (!pageShape.test(start)) return start;
  return start
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
