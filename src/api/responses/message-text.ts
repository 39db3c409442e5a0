import { isJsonObject, type Json, type JsonObject, member } from '../../orders/json.ts';

/** The objects of an error body that may speak of the error, the most telling first; never more than a handful. */
export function errorPlaces(body: Json | undefined): JsonObject[] {
  const error = member(body, 'error');
  const errors = member(body, 'errors');
  const nested = member(error, 'error') ?? member(member(body, 'data'), 'error');
  const fault = member(body, 'fault');
  const top = Array.isArray(body) ? body[0] : body;
  return [nested, error, fault, member(fault, 'detail'), top, firstOf(errors)].filter(isJsonObject);
}

/** The first text or number under one of the names that `accepts` takes, place by place. */
export function firstText(
  places: readonly Json[],
  names: readonly string[],
  accepts: (text: string, name: string) => boolean,
): string | undefined {
  for (const place of places) {
    for (const name of names) {
      const text = textOf(member(place, name));
      if (text !== undefined && text.trim() !== '' && accepts(text, name)) return text;
    }
  }
  return undefined;
}

const mostTexts = 20;

/** A text, or the texts of a list. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  const texts = value.slice(0, mostTexts).filter((item) => typeof item === 'string');
  return texts.length === 0 ? undefined : texts.join('; ');
}

function firstOf(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

/** What is looked through of a page or text must be bounded, or a hostile one takes minutes. */
const longestPage = 20_000;
const longestMessage = 300;
const pageShape = /<(?:!doctype|html|head|title|body|center|div|span|script|style|h[1-6]|p|pre|br|hr)[\s/>]/i;
const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", amp: '&' };

/** Text of the service on one line, without controls or halves of letters, shortened to 300 characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, longestPage)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  if (line.length <= longestMessage) return line;
  // Not through the middle of a surrogate pair.
  return `${line.slice(0, longestMessage).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The words of a page of HTML; any other text as it is. */
export function wordsOf(page: string): string {
  const start = page.slice(0, longestPage);
  if (!pageShape.test(start)) return start;
  return start
    .replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/&(lt|gt|quot|apos|#39|amp);/g, (_, name: string) => entities[name] ?? '');
}
