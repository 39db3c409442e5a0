import { describe, expect, it } from 'vitest';
import { startService } from '../../support/service.ts';

const inMongolian = { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' };

describe('create at a terminal, in Mongolian', () => {
  it('asks, shows the order and its outcome', async () => {
    const { cli } = await startService();
    const { stdout, stderr, exitCode, asked } = await cli(['create'], {
      env: inMongolian,
      today: '2026-11-22',
      answers: [
        ...['99112233', 'TEA-1', '3ш', 'TEA-1 x 2', ''],
        ...['Улаанбаатар', 'БЗД', '5-р хороо, 12 байр, 81 тоот', 'Орцны код 12'],
        ...['авна', '25к', true, '', '12 сарын 25', 'тийм', 'UB-7', 'үүсгэ'],
      ],
    });
    expect(asked).toEqual([
      'Захиалагчийн утасны дугаар',
      '1-р барааны код (SKU)',
      'Хэдэн ширхэг вэ?',
      '2-р барааны код (өөр бараа байхгүй бол Enter дарна уу)',
      '3-р барааны код (өөр бараа байхгүй бол Enter дарна уу)',
      'Хүргэх хаяг: хот, аймаг (заавал биш)',
      'Хүргэх хаяг: дүүрэг, сум (заавал биш)',
      'Хүргэх хаяг: хороо, байр, орц, тоот (заавал биш)',
      'Хүргэгчид үлдээх тэмдэглэл (заавал биш)',
      'Хүргэгч төлбөр авах уу? (тийм/үгүй)',
      'Хүргэгч хэдэн төгрөг авах вэ?',
      '25,000 ₮, зөв үү?',
      'Захиалгын нийт дүн (заавал биш)',
      'Хүргэх өдөр (заавал биш): маргааш, баасан, 12 сарын 25 гэх мэт',
      '2026 оны 12 сарын 25, баасан, зөв үү?',
      'Өөрийн захиалгын ID',
      'ТУРШИЛТ: 99112233, 2 төрлийн бараа, хүргэгч 25,000 ₮ авна. Үүсгэх үү?',
    ]);
    const card = `өөрийн ID    UB-7
захиалагч    99112233
бараа        3 × TEA-1
             2 × TEA-1
авах дүн     25,000 ₮
хүргэх өдөр  2026 оны 12 сарын 25, баасан
хаяг         Улаанбаатар, БЗД, 5-р хороо, 12 байр, 81 тоот
тэмдэглэл    Орцны код 12
`;
    expect(stderr.replace(/ORD-\d+-\d+/, 'ORD')).toBe(
      `Шинэ захиалагч\n${card}\nORD захиалга үүслээ (ТУРШИЛТ).
2026 оны 12 сарын 25, баасан: савлах захиалгын жагсаалт гаргах бол ажиллуулна уу:
  merchant-orders list --deliver-on 2026-12-25 --for packing\n`,
    );
    const created = stdout
      .replace(/^дугаар {7}ORD-\d+-\d+$/m, '')
      .replace(/^үүссэн {7}өнөөдөр \d\d:\d\d\n/m, '');
    expect(created).toMatch(`\n${card}төлөв        CONFIRMED\nхүргэлт      PENDING\n`);
    expect(exitCode).toBe(0);
  });
});
