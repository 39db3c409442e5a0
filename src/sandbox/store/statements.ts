import type { Database } from '../../system/sqlite.ts';

type Value = string | number | null | undefined;

/** libsql adds a property of its own to a single row, after the columns. */
function columnOf(row: unknown): unknown {
  return Object.values(row ?? {})[0];
}

/** Prepared statements as functions of their values; undefined is NULL. */
export function createStatements(database: Database) {
  const bind = (values: readonly Value[]) => values.map((value) => value ?? null);
  return {
    /** They return the number of rows that were changed. */
    change<Values extends Value[]>(sql: string): (...values: Values) => number {
      const statement = database.prepare(sql);
      return (...values) => statement.run(...bind(values)).changes;
    },
    one<Values extends Value[], Row>(sql: string): (...values: Values) => Row | undefined {
      const statement = database.prepare(sql);
      return (...values) => statement.get(...bind(values)) as Row | undefined;
    },
    /** The only column of the row. */
    value<Values extends Value[], Column>(sql: string): (...values: Values) => Column | undefined {
      const statement = database.prepare(sql);
      return (...values) => columnOf(statement.get(...bind(values))) as Column | undefined;
    },
    /** What a statement without values always has. */
    count(sql: string): () => number {
      const statement = database.prepare(sql);
      return () => columnOf(statement.get()) as number;
    },
    /** The only column of each row. */
    list<Values extends Value[], Column>(sql: string): (...values: Values) => Column[] {
      const statement = database.prepare(sql);
      return (...values) => statement.all(...bind(values)).map((row) => columnOf(row)) as Column[];
    },
    all<Values extends Value[], Row>(sql: string): (...values: Values) => Row[] {
      const statement = database.prepare(sql);
      return (...values) => statement.all(...bind(values)) as Row[];
    },
    /** They return the new row ID. */
    insert<Values extends Value[]>(sql: string): (...values: Values) => number {
      const statement = database.prepare(sql);
      return (...values) => Number(statement.run(...bind(values)).lastInsertRowid);
    },
    /** Rows of a table as objects, with the names of its columns in camel case; a `verb` may replace an old row. */
    insertRows<Field extends string>(verb: 'INSERT' | 'INSERT OR REPLACE', table: string, fields: Field[]) {
      const columns = fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
      const places = fields.map(() => '?').join(', ');
      const statement = database.prepare(`${verb} INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
      return (row: { readonly [Name in Field]?: Value }) =>
        Number(statement.run(...fields.map((field) => row[field] ?? null)).lastInsertRowid);
    },
  };
}
