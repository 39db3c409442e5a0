import { CsvFormatError, parseCsv } from '../csv/read-csv.ts';
import { CliError } from '../errors.ts';
import { parseBehaviour, readJson } from './behaviour/parse.ts';
import type { Behaviour } from './behaviour/schema.ts';
import { parseSeed } from './rules/seed.ts';
import { type Product, productList } from './store/products.ts';

/** Each is the path of a file, or the value itself; a behaviour may also be a name of the package. */
interface GivenInputs {
  behaviour?: unknown;
  catalogue?: unknown;
  seed?: unknown;
}

/** Those of the package, and those of the user. */
interface Files {
  packageFiles: { list(folder: string): readonly string[]; readText(path: string): string };
  readText(path: string): Promise<string>;
}

const behavioursFolder = 'fixtures/behaviours/';

/** @throws CliError `file_invalid`, `usage` for an unknown name, and those of `readText` */
export async function readInputs(given: GivenInputs, { packageFiles, readText }: Files) {
  const read = async <T>(value: unknown, name: string, parse: (text: string, source: string) => T) => {
    if (value === undefined) return undefined;
    return typeof value === 'string'
      ? parse(await readText(value), value)
      : parse(JSON.stringify(value), name);
  };
  const { behaviour, catalogue, seed } = given;
  const packaged = typeof behaviour === 'string' ? findPackaged(behaviour, packageFiles) : undefined;
  return {
    behaviour:
      packaged ??
      (await read(
        behaviour,
        'The behaviour',
        typeof behaviour === 'string' ? parseBehaviourFile : parseSettings,
      )),
    catalogue: await read(catalogue, 'The catalogue', parseCatalogue),
    seed: await read(seed, 'The seed', parseSeed),
  };
}

/** Those of the package, with what they are for. */
export function packagedBehaviours(files: Files['packageFiles']) {
  return packagedNames(files).map((name) => ({
    name,
    description: readPackaged(name, files).description ?? '',
  }));
}

function packagedNames({ list }: Files['packageFiles']): string[] {
  return list(behavioursFolder).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? []);
}

function readPackaged(name: string, { readText }: Files['packageFiles']): Behaviour {
  return parseBehaviourFile(readText(`${behavioursFolder}${name}.json`), name);
}

export function packagedCatalogue({ readText }: Files['packageFiles']): Product[] {
  return parseCatalogue(readText('fixtures/catalogue.csv'), 'catalogue.csv');
}

/** Undefined for a path. @throws CliError `usage` for an unknown name */
function findPackaged(name: string, files: Files['packageFiles']): Behaviour | undefined {
  if (!/^[\w-]+$/.test(name)) return undefined;
  const names = packagedNames(files);
  if (names.includes(name)) return readPackaged(name, files);
  throw new CliError('usage', `There is no behaviour called ${name}.`, {
    hint: `Give a file, such as ./${name}.json, or one of: ${names.join(', ')}`,
  });
}

function parseSettings(text: string, source: string): Behaviour {
  return parseBehaviour(readJson(text, source), source);
}

/** The name defaults to that of the file. @throws CliError `file_invalid` */
export function parseBehaviourFile(text: string, path: string): Behaviour {
  const name = path.replace(/^.*[\\/]/, '').replace(/\.json$/i, '');
  return { name, ...parseSettings(text, path) };
}

const hint =
  'A catalogue is CSV with the columns sku,name,active or a JSON array of {"sku","name","active"}; only the SKU is required';

/** CSV by the name of its file, or else JSON. @throws CliError `file_invalid` naming the file and line or item */
export function parseCatalogue(text: string, fileName: string): Product[] {
  const rows = /\.csv$/i.test(fileName) ? readCsv(text, fileName) : undefined;
  const { data, error } = productList.safeParse(
    rows?.map(({ product }) => product) ?? readJson(text, fileName),
  );
  if (data) return data;
  const [
    {
      path: [index, ...fields],
      message,
    } = { path: [], message: '' },
  ] = error.issues;
  const place = rows
    ? `, line ${rows[Number(index)]?.line}`
    : index === undefined
      ? ''
      : `, item ${String(index)}`;
  const problem = [...fields, message].join(': ');
  throw new CliError('file_invalid', `${fileName}${place}: ${problem}.`, { hint });
}

const activeWords: Readonly<Record<string, boolean>> = {
  ...{ '': true, true: true, 1: true, yes: true },
  ...{ false: false, 0: false, no: false },
};

function readCsv(text: string, fileName: string) {
  try {
    const [header, ...rows] = parseCsv(text).filter(({ cells }) => cells.some((cell) => cell !== ''));
    const columns = header?.cells.map((name) => name.toLowerCase()) ?? [];
    if (!columns.includes('sku')) throw new CsvFormatError('has no column sku in its first line');
    return rows.map(({ line, cells }) => {
      const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
      const active = cell('active').toLowerCase();
      const product = {
        sku: cell('sku'),
        name: cell('name') || undefined,
        active: activeWords[active] ?? active,
      };
      return { line, product };
    });
  } catch (error) {
    if (!(error instanceof CsvFormatError)) throw error;
    throw new CliError('file_invalid', `${fileName} ${error.message}.`, { hint });
  }
}
