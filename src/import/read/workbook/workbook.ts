import { posix } from 'node:path';
import { t } from '../../../advice/advice.ts';
import { type Archive, type Chunks, copyOrders, openArchive, WorkbookError } from './archive.ts';
import { createNumberFormat, type NumberFormat } from './number-formats.ts';
import { readSheetRows, type SheetReading, type SheetRow } from './sheet-rows.ts';
import { readSharedStrings } from './strings.ts';
import { isTrue, readXml, type XmlHandler } from './xml.ts';

export interface Sheet {
  name: string;
  isHidden: boolean;
  part: string;
}

export interface Workbook {
  /** Those with cells, in the order of their tabs. */
  sheets: readonly Sheet[];
  /** Each call reads the sheet again. Errors: WorkbookError, those of the file, AbortError. */
  rows(sheet: Sheet, watching?: Pick<SheetReading, 'onMerge'>): AsyncGenerator<SheetRow[]>;
}

const mebibyte = 1024 * 1024;
const maxSheetBytes = 512 * mebibyte;
const maxStringsBytes = 128 * mebibyte;
const maxSheets = 1000;
/** A spreadsheet allows 31 characters. */
const maxNameLength = 255;

/** Opens an .xlsx or .xlsm file. Errors: WorkbookError, those of the file, AbortError. */
export async function openWorkbook(file: Chunks, stopping?: AbortSignal): Promise<Workbook> {
  const archive = await openArchive(file, stopping);
  const main = await findMainPart(archive);
  const relations = await readRelations(archive, main);
  const partOf = (wanted: string) => relations.find(({ kind }) => kind === wanted)?.part;
  const sheets: Sheet[] = [];
  let is1904 = false;
  await readSmallPart(archive, main, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (name !== 'sheet') return;
      const ids = Object.entries(attributes).filter(([key]) => key.endsWith(':id'));
      const found = relations.find(({ id, kind }) => kind === 'worksheet' && id === ids[0]?.[1]);
      if (found === undefined) return;
      if (sheets.length === maxSheets) {
        throw new WorkbookError(t`has more than ${maxSheets} sheets`, copyOrders);
      }
      const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
      const sheetName = (attributes.name ?? '').slice(0, maxNameLength);
      sheets.push({ name: sheetName, isHidden, part: found.part });
    },
  });
  const texts = partOf('sharedStrings');
  const strings =
    texts === undefined ? [] : await readSharedStrings(texts, archive.read(texts, maxStringsBytes));
  const styles = partOf('styles');
  const formats = styles === undefined ? [] : await readFormats(archive, styles, is1904);
  return {
    sheets,
    rows: ({ name, part }, watching) =>
      readSheetRows(archive.read(part, maxSheetBytes), {
        part,
        name: t`sheet "${name}"`,
        strings,
        formats,
        ...watching,
      }),
  };
}

async function readFormats(archive: Archive, part: string, is1904: boolean): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  let ids: number[] = [];
  await readSmallPart(archive, part, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      // Cells refer to the styles in cellXfs only.
      if (name === 'cellXfs') ids = [];
      if (name === 'xf') ids.push(Number(numFmtId));
    },
  });
  const formats = new Map([...new Set(ids)].map((id) => [id, createNumberFormat(id, codes, is1904)]));
  return ids.map((id) => formats.get(id) as NumberFormat);
}

const maxSmallPartBytes = 16 * 1024 * 1024;

/** The part of the archive that is the workbook. Error: WorkbookError, when there is none. */
async function findMainPart(archive: Archive): Promise<string> {
  const main = (await readRelations(archive, '')).find(({ kind }) => kind === 'officeDocument')?.part;
  if (main !== undefined && /^(?!word\/|ppt\/).*\.xml$/i.test(main)) return main;
  throw notWorkbook(main);
}

/** Errors: those of the part. */
function readSmallPart(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  return readXml(part, archive.read(part, maxSmallPartBytes), handler);
}

/** What a part refers to inside the archive; the kind is the end of the type: `worksheet`. */
async function readRelations(archive: Archive, part: string) {
  const { dir, base } = posix.parse(part);
  const relations: { id: string; kind: string; part: string }[] = [];
  const file = posix.join(dir, '_rels', `${base}.rels`);
  if (!archive.names.has(file.toLowerCase())) return [];
  await readSmallPart(archive, file, {
    open: (name, { Id: id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const path = posix.resolve('/', dir, Target.replaceAll('\\', '/'));
      relations.push({ id, kind: posix.basename(Type), part: path.slice(1) });
    },
  });
  return relations;
}

function notWorkbook(main = ''): WorkbookError {
  const problem = main.endsWith('.bin')
    ? t`is a binary Excel workbook (xlsb)`
    : t`is not an Excel workbook (xlsx)`;
  return new WorkbookError(problem, asWorkbook);
}

const asWorkbook = t`If it is an archive, unpack it and import the file in it. Otherwise open it in the spreadsheet program, choose Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8", and import that file.`;
