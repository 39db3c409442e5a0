import type { FieldPath } from '../orders/field-path.ts';
import { isJsonNumber, type Json, parseJson } from '../orders/json.ts';

export const cellTypes = ['text', 'number', 'boolean', 'json'] as const;
export type CellType = (typeof cellTypes)[number];

/** A column whose cells go into the orders. */
export interface Column {
  index: number;
  header: string;
  path: FieldPath;
  type: CellType;
  /** True when each row's cell belongs to the line that the row carries. */
  isLine: boolean;
  /** True for a field that the interface does not name. */
  isExtra: boolean;
}

/** What became of the header: the columns that are sent and those that are not. */
export interface Mapping {
  columns: Column[];
  /** Headers of columns that are not sent. */
  unsent: string[];
}

/** Cell text → the value that is sent, or undefined when it is none of the type. Digits stay as they are. */
export function parseCell(text: string, type: CellType): Json | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'boolean':
      return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;
    case 'number': {
      const value = parseOrUndefined(text);
      return isJsonNumber(value) ? value : undefined;
    }
    case 'json':
      return parseOrUndefined(text);
  }
}

function parseOrUndefined(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
