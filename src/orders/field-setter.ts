import { type FieldPath, setField } from './field-path.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

export type FieldSetter = (order: JsonObject, value: Json, line: number) => void;

/**
 * What setField does with this path, for a path that is set in many orders: the usual ways are laid out beforehand.
 * @throws FieldPathError, when it is called, as setField does
 */
export function createFieldSetter(path: FieldPath): FieldSetter {
  const [first, second, third] = path;
  const slowly: FieldSetter = (order, value, line) => setField(order, path, value, line);
  if (typeof first !== 'string' || unusual.has(first)) return slowly;
  if (path.length === 1) {
    return (order, value) => {
      order[first] = value;
    };
  }
  if (path.length === 2 && typeof second === 'string' && !unusual.has(second)) {
    return (order, value, line) => {
      const inner = order[first];
      if (inner === undefined) order[first] = { [second]: value };
      else if (isJsonObject(inner)) inner[second] = value;
      else slowly(order, value, line);
    };
  }
  if (path.length === 3 && second === null && typeof third === 'string' && !unusual.has(third)) {
    return (order, value, line) => {
      const list = order[first];
      const inner = Array.isArray(list) ? list[line] : undefined;
      if (isJsonObject(inner)) inner[third] = value;
      else slowly(order, value, line);
    };
  }
  return slowly;
}

/** Names that every object has already: what is found under them need not be its own. */
const unusual: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
