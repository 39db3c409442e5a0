import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../api/listen.ts';
import { runCli } from '../../support/cli.ts';

const atTerminal = { env: { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' }, answers: [], width: 100 };

describe('at a terminal, Mongolian is said about', () => {
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
      ['profiles', 'language', 'x'],
      "алдаа: 'language' утгыг буруу бичсэн байна. Аль нэгийг сонгоно уу: en, mn.\nАжиллуулна уу: merchant-orders profiles language --help\n",
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

describe('at a terminal, a server that does not speak https is named by the setting that has its address', () => {
  it.each([
    [
      'системийн хаяг',
      'энэ хаяг https холболт авахгүй байна',
      (port: number) => ({ MERCHANT_ORDERS_BASE_URL: `https://127.0.0.1:${port}` }),
    ],
    [
      'проксины хаяг (HTTPS_PROXY)',
      'проксигоор холбогдож чадсангүй: энэ хаяг https холболт авахгүй байна',
      (port: number) => ({
        MERCHANT_ORDERS_BASE_URL: 'https://shop.example',
        HTTPS_PROXY: `https://127.0.0.1:${port}`,
      }),
    ],
  ])('%s', async (setting, cause, addressedBy) => {
    const env = {
      ...atTerminal.env,
      MERCHANT_ORDERS_API_KEY: 'mk_live_1',
      ...addressedBy(await listen(createServer())),
    };
    const { stderr, exitCode } = await runCli(['get', 'UB-1', '--timeout', '1'], {
      ...atTerminal,
      env,
      width: 200,
    });
    const cure = `Юу ч илгээгээгүй. Тохиргоогоо шалгана уу: ${setting}. Зөв бол серверийн админд хэлнэ үү.`;
    expect(stderr).toContain(`алдаа: Системтэй холбогдож чадсангүй: ${cause}.\n${cure} `);
    expect(exitCode).toBe(7);
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
});
