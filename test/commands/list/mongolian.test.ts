import { expect, it } from 'vitest';
import { startService } from '../../support/service.ts';

it('shows in Mongolian heads that fit 80 columns, and how many orders there are', async () => {
  const { cli } = await startService();
  for (const id of ['UB-20261125-1', 'UB-20261125-2'])
    await cli([
      ...['create', '--external-order-id', id, '--phone', '+976 99112233', '--item', 'TEA-1'],
      ...['--collect', '1234567', '--delivery-date', '2030-12-07'],
    ]);
  const list = async (width: number, ...args: string[]) => {
    const env = { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' };
    const { stdout, stderr } = await cli(['list', ...args], { env, width, answers: [] });
    return (stdout + stderr).replaceAll(/\d\d:\d\d/g, 'HH:MM').replaceAll(/ORD-\d{4}-/g, 'ORD-YEAR-');
  };
  const table = `хэзээ дугаар          өөрийн ID  утас        авах ₮ хүргэх     төлөв     хүргэлт
HH:MM ORD-YEAR-000002 …0261125-2 99112233 1,234,567 2030.12.07 CONFIRMED PENDING
HH:MM ORD-YEAR-000001 …0261125-1 99112233 1,234,567 2030.12.07 CONFIRMED PENDING
`;
  expect(await list(80)).toBe(`${table}2/2 захиалга.\n`);
  expect(await list(80, '--deliver-on', '2030-12-07', '--created-from', '2020-01-01')).toBe(
    `${table}2030 оны 12 сарын 7, бямба: хүргэх 2 захиалга (2020-01-01 өдрөөс хойш үүссэн 2
захиалгаас).
Нийт авах дүн: 2,469,134 ₮.
`,
  );
  expect(
    await list(120, '--page-size', '1'),
  ).toBe(`үүссэн         дугаар           өөрийн ID      утас            авах дүн  хүргэх өдөр  төлөв      хүргэлт
өнөөдөр HH:MM  ORD-YEAR-000002  UB-20261125-2  +976 99112233  1,234,567  2030-12-07   CONFIRMED  PENDING
1/2 захиалга. Цаашхыг харах бол --page 2 эсвэл --all нэмнэ үү.
`);
  expect(await list(80, '--search', 'COFFEE')).toBe('Үзсэн 2 захиалгаас таарсан нь алга.\n');
  expect(await list(80, '--status', 'DRAFT')).toBe('Захиалга алга.\n');
});
