import { describe, expect, it } from 'vitest';
import type { CliOptions } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';

async function startWithOrders(...ids: string[]) {
  const { cli } = await startService();
  for (const id of ids)
    await cli(['create', '--external-order-id', id, '--phone', '99112233', '--item', 'TEA-1', '--prepaid']);
  const masked = (text: string) =>
    text
      .replaceAll(/ORD-\d{4}-/g, 'ORD-YEAR-')
      .replaceAll(/\d\d:\d\d/g, 'HH:MM')
      .replaceAll(/[0-9a-f-]{36}/g, 'UUID');
  return {
    cancel: async (args: string[], answers: NonNullable<CliOptions['answers']>) => {
      const env = { MERCHANT_ORDERS_LANG: 'mn', NO_COLOR: '1' };
      const { stdout, stderr, exitCode, asked } = await cli(['cancel', ...args], { env, answers });
      return { stdout: masked(stdout), stderr: masked(stderr), exitCode, asked: asked.map(masked) };
    },
  };
}

const card = `дугаар       ORD-YEAR-000001
өөрийн ID    UB-1
үүссэн       өнөөдөр HH:MM
захиалагч    99112233
бараа        TEA-1
авах дүн     авахгүй (төлсөн)
төлөв        CONFIRMED
хүргэлт      PENDING
валют        MNT
id           UUID
delivery.id  UUID
`;

describe('cancel at a terminal, in Mongolian', () => {
  it('asks for the order, shows it, and asks for the reason and once more', async () => {
    const { cancel } = await startWithOrders('UB-1');
    let choices: string[] = [];
    const { stdout, stderr, exitCode, asked } = await cancel(
      [],
      [
        'UB-9',
        '',
        (question) => {
          choices = question.choices.map(({ name }) => name.replace(/^\d\d:\d\d/, 'HH:MM'));
          return { pick: '' };
        },
        'бараа дууссан',
        'цуцал',
      ],
    );
    expect(asked).toEqual([
      'Цуцлах захиалга (утас, дугаар, ID; Enter: сүүлийн захиалгууд)',
      'Цуцлах захиалга (утас, дугаар, ID; Enter: сүүлийн захиалгууд)',
      'Аль нь вэ?',
      'Цуцлах шалтгаан',
      'ТУРШИЛТ: ORD-YEAR-000001, 99112233. Энэ захиалгыг цуцлах уу?',
    ]);
    expect(choices.map((name) => name.replace(/ORD-\d{4}/, 'ORD-YEAR'))).toEqual([
      'HH:MM  ORD-YEAR-000001  UB-1  99112233  төлсөн  CONFIRMED',
      'эдгээрийн аль нь ч биш',
    ]);
    expect(stderr).toBe(
      `Захиалга олдсонгүй. Захиалагчийн утсыг бичнэ үү, сүүлийн захиалгуудыг харах бол Enter дарна уу. Хайх бол Ctrl-C дараад
ажиллуулна уу:
  merchant-orders list --search UB-9
${card}ORD-YEAR-000001 захиалгыг цуцаллаа (ТУРШИЛТ).
`,
    );
    expect(stdout).toContain('төлөв        CANCELLED\n');
    expect(exitCode).toBe(0);
  });
});
