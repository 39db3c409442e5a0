/** The names in a table, typed as the schema wants the values of a setting. */
export function namesOf<Name extends string>(table: Record<Name, unknown>): [Name, ...Name[]] {
  return Object.keys(table) as [Name, ...Name[]];
}
