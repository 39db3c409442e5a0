import { posix } from 'node:path';
import { type Archive, WorkbookError } from './archive.ts';
import { readXml, type XmlHandler } from './xml.ts';

const maxSmallPartBytes = 16 * 1024 * 1024;

/** The part of the archive that is the workbook. Error: WorkbookError, when there is none. */
export async function findMainPart(archive: Archive): Promise<string> {
  const main = (await readRelations(archive, '')).find(({ kind }) => kind === 'officeDocument')?.part;
  if (main !== undefined && /^(?!word\/|ppt\/).*\.xml$/i.test(main)) return main;
  throw notWorkbook(main);
}

/** Errors: those of the part. */
export function readSmallPart(archive: Archive, part: string, handler: XmlHandler): Promise<void> {
  return readXml(part, archive.read(part, maxSmallPartBytes), handler);
}

/** What a part refers to inside the archive; the kind is the end of the type: `worksheet`. */
export async function readRelations(archive: Archive, part: string) {
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
  const kind = main.endsWith('.bin') ? 'a binary Excel workbook (xlsb)' : 'not an Excel workbook (xlsx)';
  return new WorkbookError(`is ${kind}`, asWorkbook);
}

const asWorkbook =
  'If it is an archive, unpack it and import the file in it. Otherwise open it in the spreadsheet program, choose Save As, "Excel Workbook (.xlsx)" or "CSV UTF-8", and import that file.';
