import type { ReturnedOrder } from './envelope.ts';

export type Names = ReturnType<typeof createNames>;

const placeholder = /\{([a-z]+(?:-[a-z]+)*)\.([\w -]+)\}/g;

/** The orders of a case by name, as last returned, and its keys. */
export function createNames(keys: Record<string, string>) {
  const known = new Map<string, Record<string, unknown>>([['keys', keys]]);
  const order = (name: string): ReturnedOrder => {
    const found = known.get(name);
    if (!found) throw new Error(`no order of this case is called "${name}"`);
    return found as ReturnedOrder;
  };
  const fillText = (text: string, encode: (value: string) => string): string =>
    text.replace(placeholder, (_, name: string, field: string) => {
      const value = field === 'ID' ? order(name).id?.toUpperCase() : order(name)[field];
      if (typeof value !== 'string') throw new Error(`${name} has no ${field} that is text`);
      return encode(value);
    });
  return {
    remember(name: string, returned: ReturnedOrder): void {
      known.set(name, { ...known.get(name), ...returned });
    },
    order,
    /** `{first.id}` → the id of the order named first; `{first.ID}` → the same in capitals. */
    fill: (text: string): string => fillText(text, (value) => value),
    fillPath: (path: string): string => fillText(path, encodeURIComponent),
    fillAll<Value>(value: Value): Value {
      const text = JSON.stringify(value, (_, part: unknown) =>
        typeof part === 'string' ? fillText(part, (filled) => filled) : part,
      );
      return JSON.parse(text) as Value;
    },
  };
}
