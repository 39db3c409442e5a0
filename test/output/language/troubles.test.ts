import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

const atTerminal = { env: { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' }, answers: [], width: 100 };
const uuid = /[\da-f]{8}-[\da-f-]{27}/g;

describe('at a terminal, Mongolian is said about', () => {
  it('an order that the service rejected', async () => {
    const { cli } = await startService();
    const order = ['--external-order-id', 'UB-1', '--phone', '99112233', '--prepaid', '--item', 'NO-SUCH'];
    const { stderr, exitCode } = await cli(['create', ...order, '--yes'], atTerminal);
    expect(stderr.replaceAll(uuid, 'ID')).toBe(
      `алдаа: Систем захиалгыг хүлээж авсангүй: items[0].sku: no product has the SKU "NO-SUCH".
  (код PRODUCT_SKU_NOT_FOUND, хариу 422, хүсэлт ID, давхардлаас
  хамгаалах түлхүүр ID)
Ийм кодтой бараа бүртгэлд алга. Барааны кодыг шалгана уу. Код зөв бол системийн админд хэлж
бүртгүүлнэ үү, эсвэл бараагаа кодгүй бичнэ үү.
`,
    );
    expect(exitCode).toBe(5);
  });

  it('the key, and where it comes from', async () => {
    const { stdout } = await runCli(['whoami', '--sandbox'], atTerminal);
    expect(stdout.replace(/…\w+/, '…1234')).toBe(`систем           ТУРШИЛТ
профайл
системийн хаяг   энэ программын дотор
түлхүүр          …1234
хаяг хаанаас     туршилт
түлхүүр хаанаас  туршилт
`);
  });

  it.each([
    [
      ['lst'],
      "алдаа: 'lst' гэсэн команд алга (list гэж бичих гэсэн үү?)\nАжиллуулна уу: merchant-orders --help\n",
    ],
    [
      ['list', '--page', 'x'],
      'алдаа: --page утгыг буруу бичсэн байна. Бүхэл тоо бичнэ үү.\nАжиллуулна уу: merchant-orders list --help\n',
    ],
    [
      ['cancel', '--by', 'x'],
      'алдаа: --by утгыг буруу бичсэн байна. Аль нэгийг сонгоно уу: id, number, external, phone.\nАжиллуулна уу: merchant-orders cancel --help\n',
    ],
    [
      ['whoami', 'x'],
      "алдаа: 'whoami' командад үг илүү байна: 0 бичих ёстой, 1 бичсэн.\nАжиллуулна уу: merchant-orders whoami --help\n",
    ],
  ])('a wrong command line: %j', async (args, expected) => {
    const { stderr, exitCode } = await runCli(args, atTerminal);
    expect([stderr, exitCode]).toEqual([expected, 2]);
  });
});

describe('the help', () => {
  it('at a terminal is Mongolian, and fits 80 columns', async () => {
    const { stdout } = await runCli(['create', '--help'], { env: atTerminal.env, width: 80 });
    const lines = stdout.split('\n');
    expect(lines.slice(0, 6)).toEqual([
      'Хэрэглэх нь: merchant-orders create [тохиргоо]',
      '',
      'захиалга үүсгэх',
      '',
      'Жишээ:',
      '  $ merchant-orders create',
    ]);
    expect(lines.slice(-6)).toEqual([
      '  --idempotency-key <key>      давхардлаас хамгаалах түлхүүрийг өөрөө өгөх',
      '  --no-checks                  энд хийдэг шалгалтыг алгасах; мөнгөн дүн, өдөр',
      '                               текст байх ёстой',
      '',
      'Бүх командад хэрэглэдэг тохиргоо: merchant-orders help',
      '',
    ]);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('in a pipe is the English one', async () => {
    const [mongolian, english] = await Promise.all(
      ['mn', 'en'].map((language) =>
        runCli(['create', '--help'], { env: { MERCHANT_ORDERS_LANG: language } }),
      ),
    );
    expect(mongolian).toEqual(english);
    expect(english?.stdout).toMatch(/^Usage: merchant-orders create/);
  });
});
