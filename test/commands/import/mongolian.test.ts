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
эхний захиалга A-1 (2-р мөр) 99112233: 2 × TEA-001; хүргэгч 45,000 ₮ авна; БЗД, 5-р хороо, 12 байр
               A-2 (3-р мөр) 88112233: 1 × TEA-002; төлбөр авахгүй (төлсөн), нийт 8,900 ₮; СХД, 3-р
               хороо
захиалга       2, бараа 2, нийт 53,900 ₮
төлсөн         1 захиалга, нийт 8,900 ₮
авах дүн       45,000 ₮, 1 захиалгаас
оруулаагүй     1: цуцалсан 1
систем         туршилт: юу ч хүргэгдэхгүй`);
    expect(stderr.slice(stderr.lastIndexOf('\n1 '))).toBe(`
1 захиалгыг оруулсангүй: цуцалсан 1.
Үр дүн: ${shop.results}
Савлах захиалгын жагсаалт гаргах бол ажиллуулна уу:
  merchant-orders list --created-from today --all --for packing
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
        'өмнө нь өөр агуулгатай үүссэн (ORD-2026-000001; зөрүүтэй: items[].quantity)',
        'харьцуулна уу: merchant-orders get ORD-2026-000001; дараа нь мөрийг засна уу, эсвэл хасна уу',
      ],
      [
        'Систем захиалгыг хүлээж авсангүй: items[0].sku: no product has the SKU "NO-SUCH".',
        'Ийм кодтой бараа бүртгэлд алга. Барааны кодыг шалгана уу. Код зөв бол системийн админд хэлж бүртгүүлнэ үү, эсвэл бараагаа кодгүй бичнэ үү.',
      ],
    ]);
  });

  it('writes the results that an import in English writes', async () => {
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
    expect(mongolian.files[0]).toBe(english.files[0]);
    expect(english.stderr).toContain('2 orders already exist and were not created again.');
    expect(mongolian.stderr).toContain('2 захиалга өмнө нь үүссэн, дахин үүсгээгүй.');
  });
});
