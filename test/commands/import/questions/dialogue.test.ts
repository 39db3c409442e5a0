import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { systemFiles } from '../../../../src/system/files.ts';
import type { Answering, CliOptions } from '../../../support/cli.ts';
import { rowsOf, start } from '../setup.ts';
import { answersByFile, ordersOf, withoutService } from './mappings.ts';

describe.each(Object.entries(answersByFile))('the export %s', (name, answers) => {
  it('is imported by at most eight questions, and without any on the next day', async () => {
    const shop = await start(`mappings/${name}.csv`);
    const first = await shop.import([], { answers: [...answers, true] });
    expect({ exitCode: first.exitCode, asked: first.asked.length }).toEqual({
      exitCode: 0,
      asked: answers.length + 1,
    });
    expect(answers.length).toBeLessThanOrEqual(8);
    const expected = ordersOf(name);
    const sent = (await shop.listed()).map(withoutService);
    const byId = (order: Record<string, unknown>) => String(order.externalOrderId);
    expect(sent.toSorted((left, right) => (byId(left) < byId(right) ? -1 : 1))).toEqual(
      expected.flatMap(({ order }) => order ?? []),
    );
    const leftOut = rowsOf(shop.results).filter(({ outcome }) => outcome === 'left_out');
    expect(leftOut.map(({ external_order_id: id, code }) => ({ id, leftOut: code }))).toEqual(
      expected.filter((order) => order.leftOut !== undefined),
    );
    expect(shop.files()).toContain(`${name}.map.json`);
    const again = await shop.import([], { answers: [] });
    expect({ asked: again.asked, exitCode: again.exitCode }).toEqual({ asked: [], exitCode: 0 });
  });

  it('goes on with the answers before the question that was left with Ctrl-C', async () => {
    const flags = ['--dry-run', '--format', 'ndjson'];
    const requestsIn = (stdout: string) => stdout.split('\n').filter((line) => line.includes('"request"'));
    const once = await start(`mappings/${name}.csv`);
    const whole = await once.import(flags, { answers });
    const known = new Map(whole.asked.map((message, place) => [message, answers[place] ?? '']));
    // A phone that was not chosen is asked about anew.
    const repeat: Answering = ({ message }) =>
      known.get(message) ?? (message.startsWith('Not read') ? 'right' : 'nothing');
    for (let asked = 0; asked < answers.length; asked += 1) {
      const shop = await start(`mappings/${name}.csv`);
      const map = shop.path(`${name}.map.json`);
      const left = await shop.import([], { answers: [...answers.slice(0, asked), { leave: true }] });
      expect({ exitCode: left.exitCode, stdout: left.stdout }).toEqual({ exitCode: 130, stdout: '' });
      expect(left.stderr.replace(/\s+/g, ' ').includes(`kept in ${map}. Import the file again`)).toBe(
        asked > 0,
      );
      if (asked === 0) continue;
      const next = await shop.import(flags, { answers: ['continue', ...answers.map(() => repeat)] });
      expect(shop.files()).toEqual([`${name}.csv`, `${name}.map.json`]);
      const repeated = next.asked.filter((message) => whole.asked.indexOf(message) < asked);
      expect(repeated.filter((message) => known.has(message))).toEqual([]);
      expect(requestsIn(next.stdout), next.stderr).toEqual(requestsIn(whole.stdout));
      expect(shop.sandbox.requestCount()).toBe(0);
    }
  });

  it('can be answered again from every question', async () => {
    const shop = await start(`mappings/${name}.csv`);
    const whole = await shop.import([], { answers: [...answers, false] });
    // To each question but the first: back, and the answer before it again.
    const hesitant = answers.flatMap((answer, index) =>
      index === 0 ? [answer] : ['back', answers[index - 1] ?? '', answer],
    );
    const other = await start(`mappings/${name}.csv`);
    const { asked, exitCode } = await other.import([], { answers: [...hesitant, false] });
    expect({ exitCode, asked: new Set(asked) }).toEqual({ exitCode: 2, asked: new Set(whole.asked) });
    expect(asked).toHaveLength(hesitant.length + 1);
  });
});

it.each([
  ['the SKU', [{ pick: 'Código' }], 4],
  ['the total', [{ pick: 'Importe' }], 4],
  ['the values of Pago', ['collect', 'collect', 'leave_out'], 7],
  ['the values of Estado', ['leave_out', 'deliver', 'leave_out', 'leave_out'], 3],
  ['the columns that are not read', ['right'], 4],
])('the answer about %s can be changed before anything is sent', async (entry, replies, collects) => {
  const shop = await start('mappings/pedidos.csv');
  const before = answersByFile.pedidos?.slice(0, -1) ?? [];
  const change = ['change', { pick: entry }, ...replies];
  const { exitCode } = await shop.import([], { answers: [...before, ...change, 'right', true] });
  const orders = await shop.listed();
  const collecting = orders.filter(({ collectionMode }) => collectionMode === 'COLLECT').length;
  expect([exitCode, collecting]).toEqual([0, collects]);
});

describe('a question', () => {
  it('is not asked off a terminal', async () => {
    const shop = await start('mappings/pedidos.csv');
    const { asked, exitCode } = await shop.import(['--yes']);
    expect({ asked, exitCode }).toEqual({ asked: [], exitCode: 2 });
    expect(shop.files()).toEqual(['pedidos.csv']);
  });

  it('about what is new alone follows a remembered mapping', async () => {
    const shop = await start('mappings/pedidos.csv');
    await shop.import([], { answers: [...(answersByFile.pedidos ?? []), true] });
    shop.edit(
      'P-3002,2030-03-11,Saraa Dorj,88114455,MLK-002,Leche en polvo,1,17800,17800,Tarjeta',
      'P-4002,2030-03-11,Saraa Dorj,88114455,MLK-002,Leche en polvo,1,17800,17800,Bizum',
    );
    const { asked, exitCode } = await shop.import([], { answers: ['prepaid', true] });
    expect({ exitCode, asked }).toEqual({
      exitCode: 0,
      asked: ['Pago is “Bizum” (1 row): who pays?', expect.stringContaining('create 1 order')],
    });
  });

  it('is not asked about an amount with thousands, whatever the mark', async () => {
    const shop = await start('import/unseen/mongol-icons.csv');
    const { asked, exitCode } = await shop.import([], { answers: ['collect', 'right', true] });
    expect([exitCode, asked.length]).toEqual([0, 3]);
    const totals = (await shop.listed()).map(({ externalOrderId, total }) => [externalOrderId, total]);
    expect(Object.fromEntries(totals)).toEqual({ 'A-1': '17800', 'A-2': '15000', 'A-5': '15000' });
  });

  it('is asked about the line of every order when no column holds products, in the draft too', async () => {
    const shop = await start('mappings/pedidos.csv');
    writeFileSync(shop.csv, 'Pedido,Teléfono,Pago\n1,99112233,Pagado\n2,99112244,Pagado\n');
    const { stdout } = await shop.import(['--write-map', '-']);
    expect(JSON.parse(stdout).constants).toEqual({ items: [{ name: '? (choose) | Parcel' }] });
    const { exitCode } = await shop.import([], { answers: ['Parcel', 'right', true] });
    expect(exitCode).toBe(0);
    expect((await shop.listed()).map(({ items }) => items)).toEqual(Array(2).fill([{ name: 'Parcel' }]));
  });

  it('is of use when the folder cannot be written: that is said, and the import goes on', async () => {
    const shop = await start('mappings/pedidos.csv');
    const files: NonNullable<CliOptions['files']> = {
      writeWhole: (path, ...rest) =>
        path.endsWith('.map.json')
          ? Promise.reject(new CliError('file_not_writable', `${path} cannot be written.`))
          : systemFiles.writeWhole(path, ...rest),
    };
    const answers = [...(answersByFile.pedidos ?? []), true];
    const { exitCode, stderr } = await shop.import([], { answers, files });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('Your answers are not kept in a file.\nYour answers are remembered'),
    });
    expect(shop.files()).toEqual(['pedidos.csv', 'pedidos.results.csv']);
  });

  it('keeps what was answered when that is not enough', async () => {
    const shop = await start('mappings/pedidos.csv');
    writeFileSync(shop.csv, 'Order ID,Zz,SKU,Paid\nX1,a1,TEA-001,yes\nX2,b2,TEA-001,yes\n');
    const { exitCode, stderr } = await shop.import([], { answers: ['none', 'right'] });
    expect({ exitCode, files: shop.files() }).toEqual({
      exitCode: 2,
      files: ['pedidos.csv', 'pedidos.map.json'],
    });
    expect(JSON.parse(readFileSync(shop.path('pedidos.map.json'), 'utf8'))).toMatchObject({
      columns: { externalOrderId: 'Order ID', 'customer.phone': 'none', 'items[].sku': 'SKU' },
    });
    expect(stderr.replace(/\s+/g, ' ')).toContain('are kept in');
    expect(JSON.parse((await shop.run(['mappings', '--json'])).stdout)).toEqual({ mappings: [] });
  });

  it('goes on with earlier answers about the columns that are still there, or asks all anew', async () => {
    const shop = await start('mappings/pedidos.csv');
    writeFileSync(shop.csv, 'Pedido,Mobile,Code,Zz\nA1,99112233,TEA-001,8900\nA2,99112244,MUG-001,700\n');
    const code = 'Which column is the SKU?';
    const amount = 'No column is known to say who pays. What does the courier collect?';
    const first = await shop.import([], {
      answers: [{ pick: 'Code' }, { pick: 'Zz of every order' }, { leave: true }],
    });
    expect(first.asked.slice(0, 2)).toEqual([code, amount]);
    const goOn: CliOptions = { answers: ['continue', { leave: true }] };
    const same = await shop.import([], goOn);
    expect(same.asked.slice(1)).toEqual(first.asked.slice(2));
    shop.edit('Code', 'Kode');
    const other = await shop.import([], goOn);
    expect(other.asked).toEqual([
      expect.stringMatching(/Continue with them\?$/),
      'Which column is the name of the product?',
    ]);
    expect(other.stderr.replace(/\s+/g, ' ')).toContain('The answers about "Code" do not count any more');
    const anew = await shop.import([], { answers: ['anew', { leave: true }] });
    expect(anew.asked[1]).toBe(other.asked[1]);
    expect(shop.files()).toEqual(['pedidos.csv', 'pedidos.map.json']);
  });

  it('is no question, but a flag, where a column has amounts with three decimals', async () => {
    const shop = await start('mappings/pedidos.csv');
    const header = 'Pedido,Teléfono,Código,Importe';
    const rows = ['A1,99112233,TEA-001,45.000', 'A2,99112234,TEA-001,1500.000'];
    writeFileSync(shop.csv, `${[header, ...rows].join('\n')}\n`);
    const answers = [{ pick: 'Código' }, { pick: 'Importe of every order' }];
    const { stderr, exitCode } = await shop.import([], { answers });
    expect(stderr).toContain('column D Importe  decimal_ambiguous');
    expect(stderr).toContain('add --decimal comma if it is 45,000 ₮, or --decimal dot if it is 45 ₮');
    expect(exitCode).toBe(2);
    const map = shop.csv.replace(/csv$/, 'map.json');
    const again = await shop.import(['--decimal', 'dot', '--map', map], { answers: [true] });
    expect(again.exitCode, again.stderr).toBe(0);
    expect((await shop.listed()).map(({ collectionAmount }) => collectionAmount).sort()).toEqual([
      '1500.00',
      '45.00',
    ]);
  });

  it('was answered the day before: amounts are read alike, although their marks differ', async () => {
    const shop = await start('mappings/pedidos.csv');
    const header = 'Pedido,Teléfono,Código,Importe';
    writeFileSync(shop.csv, `${header}\nA1,99112233,TEA-001,"45,000"\nA2,99112234,TEA-001,"20,000"\n`);
    const answers = [{ pick: 'Código' }, { pick: 'Importe of every order' }, 'right', true];
    const first = await shop.import([], { answers });
    expect(first.exitCode, first.stderr).toBe(0);
    writeFileSync(shop.csv, `${header}\nA3,99112233,TEA-001,"45,000"\nA4,99112234,TEA-001,30.000\n`);
    const second = await shop.import(['--yes']);
    expect(second.exitCode, second.stderr).toBe(0);
    const amounts = (await shop.listed()).map(({ externalOrderId, collectionAmount }) => [
      externalOrderId,
      collectionAmount,
    ]);
    expect(Object.fromEntries(amounts)).toEqual({ A1: '45000', A2: '20000', A3: '45000', A4: '30000' });
  });

  it('is asked about cash on delivery when all orders were prepaid the day before', async () => {
    const shop = await start('mappings/pedidos.csv');
    const header = 'Pedido,Teléfono,Código,Total,Pago';
    writeFileSync(shop.csv, `${header}\n1,99112233,TEA-001,8900,Tarjeta\n2,99112244,TEA-001,8900,Tarjeta\n`);
    const first = await shop.import([], { answers: [{ pick: 'Código' }, 'prepaid', 'right', true] });
    expect(first.exitCode).toBe(0);
    writeFileSync(
      shop.csv,
      `${header}\n3,99112233,TEA-001,8900,Tarjeta\n4,99112244,TEA-001,8900,Contra reembolso\n`,
    );
    const { asked, exitCode } = await shop.import([], { answers: ['collect', true] });
    expect({ exitCode, asked: asked.slice(0, -1) }).toEqual({
      exitCode: 0,
      asked: ['Pago is “Contra reembolso” (1 row): who pays?'],
    });
    const collected = (await shop.listed()).map((order) => [order.externalOrderId, order.collectionAmount]);
    expect(Object.fromEntries(collected)).toEqual({ 1: undefined, 2: undefined, 3: undefined, 4: '8900' });
  });

  it('about payments that are not known is asked alone when a shop is recognised', async () => {
    const shop = await start('shops/shopify.csv');
    const flags = [
      '--ignore-column',
      'Payment Terms Name',
      '--ignore-column',
      'Next Payment Due At',
      '--dry-run',
    ];
    const before = await shop.import([...flags, '--json']);
    expect(
      JSON.parse(before.stderr.slice(before.stderr.lastIndexOf('{"error"'))).error.issues,
    ).toContainEqual(expect.objectContaining({ code: 'payment_open' }));
    const { asked, stderr } = await shop.import(flags, {
      answers: ['leave_out', 'collect', 'collect', 'leave_out', 'leave_out', 'leave-out'],
    });
    expect(asked).toEqual([
      'Financial Status is “in_dispute” (1 row): who pays?',
      'Payment Method is “Найзаараа дамжуулна” (1 row): who pays?',
      'Payment Method is “Бэлэн мөнгө” (1 row): who pays?',
      'Fulfillment Status is “restocked” (1 row): what about them?',
      'Fulfillment Status is “on_hold” (1 row): what about them?',
      'Some orders are neither paid nor cash on delivery. What about them?',
    ]);
    expect(stderr).not.toContain('payment_open');
  });

  it('about a state that no rule of the mapping file knows is asked', async () => {
    const shop = await start('orders.csv');
    const header = 'externalOrderId,customer.phone,items[].sku,collectionMode,Төлөв';
    const row = (id: number, state: string) => `A-${id},9911000${id},TEA-001,NONE,${state}`;
    writeFileSync(shop.csv, `${[header, row(1, 'шинэ'), row(2, 'on_hold'), row(3, 'гацсан')].join('\n')}\n`);
    const flags = shop.mapping({ to_deliver: { Төлөв: 'шинэ' } });
    expect((await shop.import([...flags, '--yes'])).stderr).toContain('state_unknown');
    const { asked, exitCode } = await shop.import(flags, { answers: ['deliver', 'leave_out', true] });
    expect({ exitCode, asked: asked.slice(0, -1) }).toEqual({
      exitCode: 0,
      asked: ['Төлөв is “on_hold” (1 row): what about them?', 'Төлөв is “гацсан” (1 row): what about them?'],
    });
    expect((await shop.listed()).map(({ externalOrderId }) => externalOrderId).toSorted()).toEqual([
      'A-1',
      'A-2',
    ]);
  });

  it.each([
    [
      'a sheet of the shop itself',
      'externalOrderId,customer.phone,items[].sku,collectionMode,deliveryAddress.note',
      (id: number, note: string) => `A-${id},9911000${id},TEA-001,NONE,${note}`,
      'deliveryAddress.note',
      ['right'],
    ],
    [
      'the export of a shop',
      'Name,Financial Status,Total,Shipping Street,Shipping Phone,Lineitem quantity,Lineitem name,Lineitem sku,Notes',
      (id: number, note: string) => `A-${id},paid,9,Street 1,9911000${id},1,Tea,TEA-001,${note}`,
      'Notes',
      [],
    ],
  ])(
    'about a note that may leave its order out is asked alone in %s',
    async (_, header, row, name, confirmed) => {
      const shop = await start('orders.csv');
      const rows = ['ring twice', 'cancelled', 'цуцалсан', 'leave at the door'].map((note, id) =>
        row(id, note),
      );
      writeFileSync(shop.csv, `${[header, ...rows].join('\n')}\n`);
      const answers = ['deliver', 'leave_out', ...confirmed, true];
      const { asked, exitCode } = await shop.import([], { answers });
      expect({ exitCode, asked: asked.slice(0, 2) }).toEqual({
        exitCode: 0,
        asked: [
          `${name} is “cancelled” (1 row): what about them?`,
          `${name} is “цуцалсан” (1 row): what about them?`,
        ],
      });
      const sent = (await shop.listed()).map(({ externalOrderId, deliveryAddress }) => [
        externalOrderId,
        (deliveryAddress as unknown as { note: string }).note,
      ]);
      expect(sent.toSorted()).toEqual([
        ['A-0', 'ring twice'],
        ['A-1', 'cancelled'],
        ['A-3', 'leave at the door'],
      ]);
      // What was answered is kept, and a new word of that kind is asked about.
      writeFileSync(
        shop.csv,
        `${[header, row(5, 'ring'), row(6, 'cancelled'), row(7, 'refunded')].join('\n')}\n`,
      );
      const next = await shop.import([], { answers: ['deliver', true] });
      expect(next).toMatchObject({ exitCode: 0 });
      expect(next.asked[0]).toBe(`${name} is “refunded” (1 row): what about them?`);
    },
  );
});
