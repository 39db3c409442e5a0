import { posix } from 'node:path';
import { type Archive, type Chunks, copyOrders, openArchive, WorkbookError } from './archive.ts';
import { createNumberFormat, type NumberFormat } from './number-formats.ts';
import { readSheetRows, type SheetReading, type SheetRow } from './sheet-rows.ts';
import { readSharedStrings } from './strings.ts';
import { isTrue, localName, readXml } from './xml.ts';

export interface Sheet {
  name: string;
  isHidden: boolean;
  part: string;
}

export interface Workbook {
  /** Those with cells, in the order of their tabs. */
  sheets: readonly Sheet[];
  /** Each call reads the sheet again. Errors: WorkbookError, those of the file, AbortError. */
  rows(
    sheet: Sheet,
    watching?: Pick<SheetReading, 'onMerge' | 'onHiddenColumns'>,
  ): AsyncGenerator<SheetRow[]>;
}

const mebibyte = 1024 * 1024;
const maxSheetBytes = 512 * mebibyte;
const maxStringsBytes = 128 * mebibyte;
const maxSmallPartBytes = 16 * mebibyte;
const maxSheets = 1000;
const maxStyles = 100_000;

/** Opens an .xlsx or .xlsm file. Errors: WorkbookError, those of the file, AbortError. */
export async function openWorkbook(file: Chunks, stopping?: AbortSignal): Promise<Workbook> {
  const archive = await openArchive(file, stopping);
  const read = async function* (part: string, maxBytes: number) {
    for await (const bytes of archive.read(part, maxBytes)) {
      stopping?.throwIfAborted();
      yield bytes;
    }
  };
  const readSmall = (part: string, handler: Parameters<typeof readXml>[2]) =>
    readXml(part, read(part, maxSmallPartBytes), handler);
  const relationsOf = async (part: string): Promise<Relation[]> => {
    const { dir, base } = posix.parse(part);
    const relations: Relation[] = [];
    const rels = posix.join(dir, '_rels', `${base}.rels`);
    if (!archive.names.has(rels.toLowerCase())) return [];
    await readSmall(rels, {
      open: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
        if (name !== 'Relationship' || TargetMode === 'External') return;
        relations.push({
          id: Id,
          kind: posix.basename(Type),
          part: posix.resolve('/', dir, Target.replaceAll('\\', '/')).slice(1),
        });
      },
    });
    return relations;
  };

  const [main] = (await relationsOf('')).filter(({ kind }) => kind === 'officeDocument');
  if (main === undefined || !isWorkbookPart(main.part)) throw notWorkbook(archive);
  const relations = await relationsOf(main.part);
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readSmall(main.part, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(
        ([key]) => key.includes(':') && localName(key) === 'id',
      )?.[1];
      const found = relations.find((relation) => relation.id === id);
      if (found?.kind !== 'worksheet') return;
      if (sheets.length === maxSheets)
        throw new WorkbookError(`has more than ${maxSheets} sheets`, copyOrders);
      const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
      sheets.push({ name: attributes.name ?? '', isHidden, part: found.part });
    },
  });
  const partOf = (kind: string) => relations.find((relation) => relation.kind === kind)?.part;
  const stringsPart = partOf('sharedStrings');
  const strings =
    stringsPart === undefined ? [] : await readSharedStrings(stringsPart, read(stringsPart, maxStringsBytes));
  const stylesPart = partOf('styles');
  const formats = stylesPart === undefined ? [] : await readFormats(stylesPart, readSmall, is1904);
  return {
    sheets,
    rows: ({ name, part }, watching) =>
      readSheetRows(read(part, maxSheetBytes), {
        part,
        name: `sheet "${name}"`,
        strings,
        formats,
        ...watching,
      }),
  };
}

interface Relation {
  id: string;
  /** The last part of its type: `worksheet`. */
  kind: string;
  part: string;
}

async function readFormats(
  part: string,
  read: (part: string, handler: Parameters<typeof readXml>[2]) => Promise<void>,
  is1904: boolean,
): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isInCells = false;
  await read(part, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'cellXfs') isInCells = true;
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      if (name === 'xf' && isInCells) ids.push(Number(numFmtId));
      if (ids.length > maxStyles) throw new WorkbookError(`has more than ${maxStyles} styles`, copyOrders);
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  const formats = new Map([...new Set(ids)].map((id) => [id, createNumberFormat(id, codes, is1904)]));
  return ids.map((id) => formats.get(id) as NumberFormat);
}

function isWorkbookPart(part: string): boolean {
  return part.toLowerCase().endsWith('.xml') && !/(?:^|\/)(?:word|ppt)\//i.test(part);
}

const otherKinds: [name: RegExp, kind: string][] = [
  [/\.bin$/, 'a binary Excel workbook (xlsb)'],
  [/^word\//, 'a Word document'],
  [/^ppt\//, 'a presentation'],
  [/^index\//, 'a Numbers spreadsheet'],
];

function notWorkbook({ names }: Archive): WorkbookError {
  const isExcel = [...names].some((name) => name.startsWith('xl/'));
  const kind = otherKinds.find(([shape]) => [...names].some((name) => shape.test(name)))?.[1];
  if (kind !== undefined) return new WorkbookError(`is ${kind}`, asWorkbook);
  if (isExcel) return new WorkbookError('is a workbook without its list of sheets');
  return new WorkbookError('is a ZIP archive', 'Unpack it and import the CSV file or the workbook in it.');
}

const asWorkbook =
  'Open it in the spreadsheet program, choose Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8", and import that file.';
