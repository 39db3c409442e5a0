import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowsOf, start } from './setup.ts';

const inMongolian = { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' };
const atTerminal = { env: inMongolian, width: 100 };
const flags = ['--leave-out', 'Status=cancelled'];
const rows = [
  'externalOrderId,customer.phone,items[].sku,items[].quantity:number,collectionMode,collectionAmount,total,Status,deliveryAddress.street',
  'A-1,99112233,TEA-001,2,COLLECT,45000,45000,new,"БЗД, 5-р хороо, 12 байр"',
  'A-2,88112233,TEA-002,1,NONE,,8900,new,"СХД, 3-р хороо"',
  'A-3,99112244,TEA-001,1,NONE,,8900,cancelled,',
];
const toFix = 'A-4,991122,TEA-001,0,COLLECT,,1,new,';

async function shopWith(lines: readonly string[]) {
  const shop = await start('orders.csv');
  writeFileSync(shop.csv, `${lines.join('\n')}\n`);
  return shop;
}

describe('import at a terminal, in Mongolian', () => {
  it('shows a preview, asks, and sums up', async () => {
    const shop = await shopWith(rows);
    const { asked, stdout, stderr, exitCode } = await shop.import(flags, { ...atTerminal, answers: [true] });
    expect({ asked, stdout, exitCode }).toEqual({
      asked: ['ТУРШИЛТ: 2 захиалга, 1 захиалгаас нь нийт 45,000 ₮ авна. Үүсгэх үү?'],
      stdout: 'үр дүн  захиалга\nүүссэн         2\nбүгд           2\n',
      exitCode: 0,
    });
    expect(stderr.slice(0, stderr.indexOf('\n\n'))).toBe(`${shop.csv}   (бүгдийг харах: --details)
уншсан нь      utf-8, таслалаар заагласан
эхний захиалга A-1 (2-р мөр) захиалагч 99112233: 2 × TEA-001; хүргэгч 45,000 ₮ авна; БЗД, 5-р
               хороо, 12 байр
               A-2 (3-р мөр) захиалагч 88112233: 1 × TEA-002; төлбөр авахгүй (төлсөн), нийт 8,900
               ₮; СХД, 3-р хороо
захиалга       2, бараа 2, нийт 53,900 ₮
төлсөн         1 захиалга, нийт 8,900 ₮
авах дүн       45,000 ₮, 1 захиалгаас
оруулаагүй     1: цуцалсан 1
систем         туршилт: юу ч хүргэгдэхгүй`);
    expect(stderr.slice(stderr.lastIndexOf('\n1 '))).toBe(`
1 захиалгыг оруулсангүй: цуцалсан 1.
Үр дүн: ${shop.results}
`);
  });

  it('asks about the columns of a sheet, and shows the first order', async () => {
    const shop = await shopWith([
      'Захиалга,Утас,Бараа,Тоо,Төлбөр,Дүн',
      'B-1,99112233,Сүүтэй цай,2,бэлэн,45000',
      'B-2,88112233,Ногоон цай,1,qpay,8900',
    ]);
    const { asked, stderr } = await shop.import([], {
      ...atTerminal,
      answers: ['collect', 'prepaid', 'right', false],
    });
    expect(asked).toEqual([
      'Төлбөр: “бэлэн” (1 мөр). Төлбөрийг яах вэ?',
      'Төлбөр: “qpay” (1 мөр). Төлбөрийг яах вэ?',
      'Эдгээр захиалга зөв үү?',
      'ТУРШИЛТ: 2 захиалга, 1 захиалгаас нь нийт 45,000 ₮ авна. Үүсгэх үү?',
    ]);
    expect(
      stderr.slice(0, stderr.indexOf('Хариултыг')),
    ).toBe(`Толгой мөр, утгаас уншсан нь: захиалгын ID ← Захиалга, захиалагчийн утас ← Утас, барааны нэр ←
Бараа, тоо ширхэг ← Тоо, захиалгын нийт дүн ← Дүн.

Эхний захиалгууд ингэж илгээгдэнэ:

өөрийн ID  B-1
захиалагч  99112233
бараа      2 × Сүүтэй цай
нийт дүн   45,000 ₮
авах дүн   45,000 ₮

өөрийн ID  B-2
захиалагч  88112233
бараа      1 × Ногоон цай
нийт дүн   8,900 ₮
авах дүн   авахгүй (төлсөн)
`);
  });

  it('reports what is wrong, each command on its own line', async () => {
    const shop = await shopWith([...rows, toFix]);
    const { stdout, stderr, exitCode } = await shop.import(flags, { ...atTerminal, answers: [] });
    expect({ stdout, exitCode }).toEqual({
      stdout: 'үр дүн       захиалга\nалдаатай            1\nилгээгээгүй         2\nбүгд                3\n',
      exitCode: 2,
    });
    expect(
      stderr,
    ).toBe(`5-р мөр  A-4 захиалга  D багана items[].quantity:number → items[0].quantity  quantity_invalid
  бичсэн  0
  алдаа   тэгээс их бүхэл тоо биш
  засах   хэдэн ширхэг болохыг цифрээр бичнэ үү: 2; хүргэхгүй бол тэр барааг хасна уу

5-р мөр  A-4 захиалга  B багана customer.phone  phone_invalid
  бичсэн  991122
  алдаа   утасны дугаар буруу байна
  засах   цифрээр бичнэ үү: 99112233 эсвэл +976 9911 2233, гадаад дугаар бол + тэмдэг, улсын кодтой

5-р мөр  A-4 захиалга  collectionAmount  collection_amount_required
  алдаа   COLLECT бол хүргэгчийн авах дүн хэрэгтэй
  засах   дүнг бичнэ үү, төлсөн захиалга бол collectionMode талбарт NONE гэж бичнэ үү

1 захиалгыг оруулсангүй: цуцалсан 1.
Засах мөрүүд: ${shop.rejects}
алдаа: ${shop.csv}: 3 захиалгын 1 нь алдаатай. Юу ч илгээгээгүй.
${shop.rejects} файлд засаад ажиллуулна уу:
  merchant-orders import ${shop.rejects} ${flags.join(' ')}
эсвэл зөв 2 захиалгыг одоо илгээх бол:
  merchant-orders import ${shop.csv} ${flags.join(' ')} --on-invalid skip
`);
  });

  it('says why orders failed, in English only what the service says', async () => {
    const shop = await shopWith(rows);
    await shop.import([...flags, '--yes']);
    shop.edit('TEA-001,2,COLLECT', 'TEA-001,3,COLLECT');
    shop.edit('A-3,99112244,TEA-001,1,NONE,,8900,cancelled,', 'A-5,99112244,NO-SUCH,1,NONE,,8900,new,"СБД"');
    const { asked, stdout, stderr, exitCode } = await shop.import(flags, { ...atTerminal, answers: [true] });
    expect({ asked, stdout, exitCode }).toEqual({
      asked: ['ТУРШИЛТ: 1 захиалга. Үүсгэх үү?'],
      stdout:
        'үр дүн          захиалга\nөмнө үүссэн            1\nхүлээж аваагүй         1\nзөрүүтэй               1\nбүгд                   3\n',
      exitCode: 6,
    });
    const preview = stderr.slice(stderr.indexOf('өмнө үүссэн'), stderr.indexOf('\n\n'));
    expect(preview).toBe(`өмнө үүссэн    1 захиалга
зөрүүтэй       1 захиалга өмнөхөөсөө өөр эсвэл цуцлагдсан: илгээхгүй
систем         туршилт: юу ч хүргэгдэхгүй`);
    expect(stderr.slice(stderr.indexOf('2-р мөр  A-1'))).toBe(`2-р мөр  A-1 захиалга  content_changed
  алдаа   өмнө нь өөр агуулгатай үүссэн (ORD-2026-000001; зөрүүтэй: items[].quantity)
  засах   харьцуулна уу:
          merchant-orders get ORD-2026-000001; дараа нь мөрийг засна уу, эсвэл хасна уу

4-р мөр  A-5 захиалга  PRODUCT_SKU_NOT_FOUND
  алдаа   Систем захиалгыг хүлээж авсангүй: items[0].sku: no product has the SKU "NO-SUCH".
  засах   Ийм кодтой бараа бүртгэлд алга. Барааны кодыг шалгана уу. Код зөв бол системийн админд
          хэлж бүртгүүлнэ үү, эсвэл бараагаа кодгүй бичнэ үү.

1 захиалга өмнө нь үүссэн, дахин үүсгээгүй.
1 захиалга өмнө нь өөр агуулгатай үүссэн эсвэл цуцлагдсан. Дахин үүсгээгүй.
Үр дүн: ${shop.results}
Засах мөрүүд: ${shop.rejects}
алдаа: 3 захиалгын 2 нь үүссэнгүй.
${shop.rejects} файлд засаад ажиллуулна уу:
  merchant-orders import ${shop.rejects} ${flags.join(' ')}
`);
    expect(rowsOf(shop.rejects).map(({ _error, _fix }) => [_error, _fix])).toEqual([
      [
        'it was created before with other content (ORD-2026-000001; different: items[].quantity)',
        'compare it: merchant-orders get ORD-2026-000001; then correct its rows, or remove them',
      ],
      [
        'The service rejected the order: items[0].sku: no product has the SKU "NO-SUCH".',
        'Check the SKU. If it is right, ask the platform to add the product, or leave the SKU out for an item that is not in the catalogue.',
      ],
    ]);
  });

  it('writes the files that an import in English writes', async () => {
    const shop = await shopWith([...rows, toFix]);
    const skip = [...flags, '--on-invalid', 'skip', '--yes'];
    const filesAfter = async (env: Record<string, string>) => {
      const { stderr } = await shop.import(skip, { env: { NO_COLOR: '1', ...env }, answers: [] });
      return { stderr, files: [shop.results, shop.rejects].map((path) => readFileSync(path, 'utf8')) };
    };
    await filesAfter({});
    const english = await filesAfter({});
    const mongolian = await filesAfter(inMongolian);
    expect(english.files.join()).toContain('COLLECT needs the amount the courier collects, above zero');
    expect(mongolian.files).toEqual(english.files);
    expect(english.stderr).toContain('2 orders already exist and were not created again.');
    expect(mongolian.stderr).toContain('2 захиалга өмнө нь үүссэн, дахин үүсгээгүй.');
  });

  it.each([
    [
      'quotes that are not closed',
      ['id,note,phone', 'A-1,"late'],
      'файлын текстийн 2-р мөрөнд нээсэн хашилтыг хаагаагүй байна.',
      'Тэндэх хашилтыг засна уу, эсвэл файлыг дахин татна уу.',
    ],
    [
      'a cell that holds rows',
      ['id,note,phone', 'A-1,"late,99112233', 'A-2,"soon'],
      'файлын хашилттай нүдэнд доод мөрүүд нь орсон байна: 2-р мөр (текстийн 2-р мөр), B багана.',
      'Тэндэх хашилтыг засна уу, эсвэл файлыг дахин татна уу. Энэ файлд хашилт энгийн тэмдэгт бол "quote": "none" гэсэн тохируулгатай --map FILE нэмнэ үү.',
    ],
    [
      'rows of another width',
      ['id,note,phone', 'A-1', 'A-2', 'A-3,late,99112233'],
      'файлын 2-р мөр (текстийн 2-р мөр) 1 нүдтэй, гэтэл толгой мөр 3 нүдтэй байна; өөр 1 мөр бас таарахгүй: 3.',
      'Тэр мөрөнд таслал дутуу, илүү эсэх, нүдийг хашилтад хийх ёстой эсэхийг шалгана уу; мөр бүр буруу бол --delimiter заана уу.',
    ],
    [
      'another kind of file',
      ['%PDF-1.7'],
      'PDF файл байна, CSV эсвэл Excel (xlsx) файл биш.',
      'Захиалгаа CSV болгож дахин татна уу.',
    ],
    [
      'an archive that is cut off',
      ['PK\u0003\u0004xl/workbook.xml'],
      'гэмтсэн ZIP архив байна (End of central directory record signature not found. Either not a zip file, or file is truncated.); файл тасарсан байж магадгүй.',
      'Дахин татаж эсвэл хуулаад тэр файлыг оруулна уу.',
    ],
  ])('says why a file cannot be read: %s', async (_, lines, problem, fix) => {
    const { csv, import: run } = await shopWith(lines);
    const { stderr, exitCode } = await run([], { ...atTerminal, width: 1000, answers: [] });
    expect([stderr, exitCode]).toEqual([`алдаа: ${csv} ${problem}\n${fix}\n`, 2]);
  });
});
