import { isJsonObject, type Json, type JsonObject, member } from '../orders/json.ts';

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
