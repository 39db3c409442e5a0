import { formatFieldPath } from '../../orders/field-path.ts';
import type { Problem } from '../problem.ts';
import { type PresetName, presetNames, presets } from '../shops/preset.ts';
import { likelyHeaders, pathOfAlias } from './aliases.ts';
import type { Column } from './column.ts';
import type { Header } from './header.ts';
import { knownPath } from './known-paths.ts';

const id = 'externalOrderId';
const mostListed = 40;
/** What stands between cells in files whose delimiter was taken for another. */
const between = /[,;\t|^~]/g;

/** That no column holds own ids, and what the reason may be. */
export function missingId(columns: readonly Column[], header: Header, preset?: PresetName): Problem[] {
  if (columns.some(({ path }) => formatFieldPath(path) === id)) return [];
  const problem = 'no column holds your own order ids, which keep an order from being created twice';
  const fix = fixOf(header, preset);
  return [{ about: 'header', severity: 'error', code: 'column_missing', path: id, problem, fix }];
}

function fixOf(header: Header, preset: PresetName | undefined): string {
  const names = header.cells.filter((name) => name !== '');
  if (names.length === 0) return 'give the file a header line with the names of its columns';
  const lower = (header.below ?? []).find(({ cells }) => cells.some(isNameOfId));
  if (lower !== undefined) return `row ${lower.row} looks like the header: add --header-row ${lower.row}`;
  const [only = '', ...others] = names;
  const delimiter = others.length === 0 ? usualIn(only) : undefined;
  if (delimiter !== undefined) {
    const flag = delimiter === '\t' ? 'tab' : `'${delimiter}'`;
    return `it was read as one column; if that is wrong, add --delimiter ${flag}`;
  }
  const shop = preset === undefined ? presetNames.find((name) => isExportOf(name, header)) : undefined;
  const offers = [
    ...(shop === undefined ? [] : [`if this is an export of that shop add --preset ${shop}`]),
    ...likelyHeaders(id, names)
      .slice(0, 1)
      .map((likely) => `if "${likely}" is it add --map-column '${likely}=${id}'`),
  ];
  const offer = offers.map((text) => `, or ${text}`).join('');
  return `name that column ${id}${offer}; the columns are: ${list(names)}`;
}

function isNameOfId(cell: string): boolean {
  return (knownPath(cell) ?? pathOfAlias(cell)) === id;
}

/** The character that cuts a name into most pieces, when it makes several. */
function usualIn(name: string): string | undefined {
  const counts = new Map<string, number>();
  for (const [character] of name.matchAll(between)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

/** Whether a header has the ids and several more of the columns that a shop exports. */
function isExportOf(name: PresetName, header: Header): boolean {
  const { externalOrderId: ids, ...columns } = presets[name].columns;
  const has = (names: readonly string[]) => names.some((one) => header.indexOf(one) !== undefined);
  const named = Object.values(columns).filter((field) => ('of' in field ? field.of.some(has) : has(field)));
  return ids !== undefined && !('of' in ids) && has(ids) && named.length >= 4;
}

function list(names: readonly string[]): string {
  const more = names.length - mostListed;
  return `${names.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
