import { cleanCell } from '../clean-text.ts';
import { isJsonObject, type Json, type JsonObject, jsonText, member } from '../orders/json.ts';

export interface Field {
  path: string;
  text: string;
}

const indexStep = /^\[(\d+)\]/;
const nameStep = /^[^.[]+/;

/** Every field of a record, however deep, in the order of the record. */
export function flattenFields(record: JsonObject): Field[] {
  return flatten(record, '');
}

/** The cells of one row. A column that the record does not have is empty; objects and arrays are JSON. */
export function pickCells(record: JsonObject, columns: string[]): string[] {
  return columns.map((path) => cellText(valueAt(record, path) ?? null));
}

function flatten(value: Json, path: string): Field[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => flatten(item, `${path}[${index}]`));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => {
      // Cleaned on its own: an unfinished escape sequence would remove what follows it in the path.
      const name = cleanCell(key);
      return flatten(item, path === '' ? name : `${path}.${name}`);
    });
  }
  return path === '' ? [] : [{ path, text: cellText(value) }];
}

function cellText(value: Json): string {
  return value === null ? '' : jsonText(value);
}

function valueAt(value: Json | undefined, path: string): Json | undefined {
  if (path === '' || value === undefined) return value;
  const [step = '', index] = (Array.isArray(value) ? indexStep : nameStep).exec(path) ?? [];
  const rest = path.slice(step.length).replace(/^\./, '');
  if (Array.isArray(value)) return valueAt(value[Number(index)], rest);
  // A key may contain a dot: `meta["a.b"]` is shown as `meta.a.b`.
  return member(value, path) ?? valueAt(member(value, step), rest);
}
