import { type FieldPath, setField } from './field-path.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';

export type FieldSetter = (order: JsonObject, value: Json, line: number) => void;

/** A faster setField for one path that is set in many orders; the setter throws FieldPathError too. */
export function createFieldSetter(path: FieldPath): FieldSetter {
  const [first, second, third] = path;
  const setAnyPath: FieldSetter = (order, value, line) => setField(order, path, value, line);
  if (typeof first !== 'string' || inheritedNames.has(first)) return setAnyPath;
  if (path.length === 1) {
    return (order, value) => {
      order[first] = value;
    };
  }
  if (path.length === 2 && typeof second === 'string' && !inheritedNames.has(second)) {
    return (order, value, line) => {
      const inner = order[first];
      if (inner === undefined) {
        const created: JsonObject = {};
        created[second] = value;
        order[first] = created;
      } else if (isJsonObject(inner)) inner[second] = value;
      else setAnyPath(order, value, line);
    };
  }
  if (path.length === 3 && second === null && typeof third === 'string' && !inheritedNames.has(third)) {
    return (order, value, line) => {
      if (order[first] === undefined) order[first] = [];
      const list = order[first];
      if (!Array.isArray(list)) return setAnyPath(order, value, line);
      if (list.length === line) list.push({});
      const inner = list[line];
      if (isJsonObject(inner)) inner[third] = value;
      else setAnyPath(order, value, line);
    };
  }
  return setAnyPath;
}

/** Names that every object inherits, so that reading them directly may find the value of the prototype. */
const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
