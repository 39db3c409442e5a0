import fc, { type Arbitrary } from 'fast-check';
import {
  escapeXml,
  partsOf,
  rowXml,
  sheetOf,
  type WorkbookParts,
  type ZipPart,
  zipOf,
} from '../../support/workbook.ts';
import type { FuzzCase, Target } from '../case.ts';
import { damage, length, longText, oddText, seldom } from '../text.ts';

const header = ['externalOrderId', 'customer.phone', 'items[].sku', 'collectionMode', 'total'];
const order = ['UB-1', '99112233', 'TEA-1', 'NONE', '25000'];

/** A cell as XML, with the attributes and values that writers get wrong. */
function cell(max: number): Arbitrary<string> {
  const attribute = fc.constantFrom('', 'A2', 'B3', 'XFD1048576', 'ZZZZ9', 'a1', '2', '__proto__');
  const type = fc.constantFrom('', 'n', 's', 'str', 'inlineStr', 'b', 'e', 'd', 'x');
  const value = fc.oneof(
    fc.constantFrom(
      '0',
      '-1',
      '1e308',
      '1e-308',
      'NaN',
      '46351.5',
      '9'.repeat(40),
      '2026-11-25',
      '#N/A',
      '1 ',
    ),
    oddText(max).map(escapeXml),
    longText(max).map(escapeXml),
  );
  const tag = fc.constantFrom('v', 'f', 'is', 't', 'c', 'row', 'x:v', 'rPh');
  return fc
    .record({
      reference: attribute,
      type,
      style: fc.constantFrom('', '1', '2', '99', '-1'),
      value,
      tag,
      inner: tag,
    })
    .map(({ reference, type, style, value, tag, inner }) => {
      return `<c r="${reference}" t="${type}" s="${style}"><${tag}><${inner}>${value}</${inner}></${tag}><v>${value}</v></c>`;
    });
}

/** What is inside a worksheet: rows of an order, odd cells, odd attributes, merges, much of something. */
function sheet(max: number): Arbitrary<string> {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(cell(max), { maxLength: 4 }).map((cells) => `<row>${cells.join('')}</row>`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '<row r="9" hidden="1"><c><v>1</v></c></row>',
        '<row r="0"/>',
        '<row r="x"/>',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '</sheetData>',
        '<!DOCTYPE a>',
        '<![CDATA[x]]>',
        '<?x?>',
        '&lt;',
        '&a;',
        '<!--',
      ),
    },
    {
      weight: 1,
      arbitrary: length(max).map((times) => '<row><c s="1"/></row>'.repeat(Math.ceil(times / 20))),
    },
    { weight: 1, arbitrary: length(max).map((times) => '<a>'.repeat(Math.ceil(times / 3))) },
  );
  const merges = fc.array(fc.constantFrom('A1:B1', 'A2:A9', 'B9:A1', 'A1:XFD1048576', 'x', ''), {
    maxLength: 3,
  });
  return fc.tuple(fc.array(piece, { maxLength: 3 }), seldom(merges, 2)).map(([pieces, ranges = []]) => {
    const rows = `<cols><col min="1" max="x" hidden="1"/></cols><sheetData>${rowXml(1, header)}${rowXml(2, order)}`;
    const merged = ranges.map((range) => `<mergeCell ref="${range}"/>`).join('');
    return `${rows}${pieces.join('')}</sheetData><mergeCells>${merged}</mergeCells>`;
  });
}

function workbook(max: number): Arbitrary<WorkbookParts> {
  const name = fc.oneof(fc.constantFrom('Orders', '', '\u202ex', '__proto__'), oddText(50));
  return fc.record({
    sheets: fc.array(
      fc.record(
        { name, xml: sheet(max), state: fc.constantFrom('hidden' as const, 'veryHidden' as const) },
        { requiredKeys: ['name', 'xml'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    strings: fc.oneof(fc.constant('<si><t>a</t></si>'), oddText(max)),
    formats: fc.array(
      fc.oneof(fc.constantFrom('yyyy-mm-dd', '00000', '[h]:mm', '"'), oddText(300), fc.nat(60)),
      { maxLength: 3 },
    ),
    is1904: fc.boolean(),
  });
}

/** Sizes, checksums and methods that are untrue, parts that are missing, and names that lead elsewhere. */
function parts(max: number): Arbitrary<ZipPart[]> {
  const untrue = fc.record(
    {
      statedSize: fc.oneof(fc.nat(5000), fc.constant(0xffffffff)),
      statedChecksum: fc.nat(),
      flags: fc.constantFrom(0, 1, 0x801, 0x840),
      method: fc.constantFrom(0, 8, 12),
      name: fc.constantFrom('../a', '/a', 'C:\\a', 'xl\\workbook.xml', '', 'xl/workbook.xml'),
    },
    { requiredKeys: [] },
  );
  return fc
    .tuple(workbook(max), seldom(fc.tuple(fc.nat(9), untrue), 2), seldom(fc.nat(9), 6))
    .map(([drawn, change, removed]) => {
      const all = partsOf(drawn).filter((_, index) => index !== removed);
      if (change === undefined) return all;
      const [at, how] = change;
      return all.map((each, index) => (index === at % all.length ? { ...each, ...how } : each));
    });
}

const good = zipOf(partsOf({ sheets: [sheetOf([header, order])] }));

export const workbooks: Target = {
  name: 'workbook',
  cases: (max) =>
    fc
      .record({
        content: fc.oneof(
          { weight: 3, arbitrary: parts(max).map((all) => zipOf(all)) },
          { weight: 1, arbitrary: damage(good) },
        ),
        flags: fc.subarray([
          ['--sheet', 'Orders'],
          ['--hidden-rows', 'send'],
          ['--header-row', '2'],
          ['--json'],
          ['--on-invalid', 'skip'],
        ]),
        isPiped: fc.boolean(),
      })
      .map(
        ({ content, flags, isPiped }): FuzzCase => ({
          args: ['import', isPiped ? '-' : 'orders.xlsx', ...flags.flat(), '--yes'],
          ...(isPiped ? { stdin: content } : { files: { 'orders.xlsx': content } }),
          isSpawned: false,
        }),
      ),
};
