import { crc32, deflateRawSync } from 'node:zlib';

/** A file inside a ZIP archive; what its headers say may be untrue. */
export interface ZipPart {
  name: string;
  content: string | Uint8Array;
  statedSize?: number;
  statedChecksum?: number;
  flags?: number;
  method?: number;
}

/** A ZIP archive of these files, written byte by byte. */
export function zipOf(parts: readonly ZipPart[], { statedCount = parts.length } = {}): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content as string);
    const packed = part.method === 0 ? content : deflateRawSync(content);
    const name = Buffer.from(part.name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(part.flags ?? 0x800, 2);
    header.writeUInt16LE(part.method ?? 8, 4);
    header.writeUInt32LE(part.statedChecksum ?? crc32(content), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(part.statedSize ?? content.length, 18);
    header.writeUInt16LE(name.length, 22);
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), header, name, packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, rest, name);
    offset += 4 + header.length + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(statedCount, 8);
  end.writeUInt16LE(statedCount, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

export interface SheetParts {
  name: string;
  /** What is inside `<worksheet>`. */
  xml: string;
  state?: 'hidden' | 'veryHidden';
}

export interface WorkbookParts {
  sheets: readonly SheetParts[];
  /** What is inside `<sst>`. */
  strings?: string;
  /** Codes of number formats: style 1 has the first one, style 2 the second one. A number is the ID of a built-in format. */
  formats?: readonly (string | number)[];
  is1904?: boolean;
  more?: readonly ZipPart[];
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** An .xlsx file; its sheets are in the order of their tabs. */
export function workbookOf(workbook: WorkbookParts): Buffer {
  return zipOf(partsOf(workbook));
}

export function partsOf({ sheets, strings, formats = [], is1904, more = [] }: WorkbookParts): ZipPart[] {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${kind}" Target="${target}"/>`;
  const relations = (...all: string[]) =>
    `${declaration}<Relationships xmlns="${packageRelations}">${all.join('')}</Relationships>`;
  const tabs = sheets.map(({ name, state }, index) => {
    const hidden = state === undefined ? '' : ` state="${state}"`;
    return `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${hidden} r:id="rId${index + 1}"/>`;
  });
  const codes = formats.map((code, index) =>
    typeof code === 'number' ? '' : `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(code)}"/>`,
  );
  const styles = formats.map(
    (code, index) => `<xf numFmtId="${typeof code === 'number' ? code : 164 + index}"/>`,
  );
  const part = (name: string, root: string, xml: string): ZipPart => ({
    name,
    content: `${declaration}<${root} xmlns="${main}" xmlns:r="${office}">${xml}</${root}>`,
  });
  return [
    {
      name: '[Content_Types].xml',
      content: `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    },
    { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        ...sheets.map((_, index) =>
          relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
        ),
        relation('strings', 'sharedStrings', 'sharedStrings.xml'),
        relation('styles', 'styles', '/xl/styles.xml'),
      ),
    },
    part(
      'xl/workbook.xml',
      'workbook',
      `<workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${tabs.join('')}</sheets>`,
    ),
    part(
      'xl/styles.xml',
      'styleSheet',
      `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs>`,
    ),
    part('xl/sharedStrings.xml', 'sst', strings ?? ''),
    ...sheets.map(({ xml }, index) => part(`xl/worksheets/sheet${index + 1}.xml`, 'worksheet', xml)),
    ...more,
  ];
}

/** One sheet of rows of texts and numbers; an empty text is no cell. */
export function sheetOf(rows: readonly (readonly (string | number)[])[], name = 'Orders'): SheetParts {
  return {
    name,
    xml: `<sheetData>${rows.map((cells, index) => rowXml(index + 1, cells)).join('')}</sheetData>`,
  };
}

export function rowXml(row: number, cells: readonly (string | number)[], attributes = ''): string {
  const all = cells.map((cell, column) => {
    const reference = `${lettersOf(column)}${row}`;
    if (cell === '') return '';
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
  });
  return `<row r="${row}"${attributes}>${all.join('')}</row>`;
}

function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

/** Characters that XML does not allow are written as spreadsheets do: `_x0007_`. */
export function escapeXml(text: string): string {
  return text
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(
      /(?![\n\t])\p{Cc}|[\ufffe\uffff]/gu,
      (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);
}
