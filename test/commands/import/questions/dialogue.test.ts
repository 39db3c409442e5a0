import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CliError } from '../../../../src/errors.ts';
import { systemFiles } from '../../../../src/system/files.ts';
import type { CliOptions } from '../../../support/cli.ts';
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

  it('leaves nothing behind when any question is left with Ctrl-C', async () => {
    const shop = await start(`mappings/${name}.csv`);
    for (let asked = 0; asked < answers.length; asked += 1) {
      const left = await shop.import([], { answers: [...answers.slice(0, asked), { leave: true }] });
      expect({ exitCode: left.exitCode, stdout: left.stdout }).toEqual({ exitCode: 130, stdout: '' });
      expect(shop.files()).toEqual([`${name}.csv`]);
    }
    const { stdout } = await shop.run(['mappings', '--json']);
    expect(JSON.parse(stdout)).toEqual({ mappings: [] });
    expect(shop.sandbox.requestCount()).toBe(0);
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

describe('a question', () => {
  it('is not asked when the header and the values say everything', async () => {
    const shop = await start('orders.csv');
    const { asked } = await shop.import([], { answers: [false] });
    expect(asked).toEqual([expect.stringMatching(/^SANDBOX: create /)]);
    expect(shop.files()).toEqual(['orders.csv']);
  });

  it('is not asked off a terminal', async () => {
    const shop = await start('mappings/pedidos.csv');
    const { asked, exitCode } = await shop.import(['--yes']);
    expect({ asked, exitCode }).toEqual({ asked: [], exitCode: 2 });
    expect(shop.files()).toEqual(['pedidos.csv']);
  });

  it('is asked with --yes and --dry-run too', async () => {
    const shop = await start('mappings/pedidos.csv');
    const { exitCode, stderr } = await shop.import(['--yes', '--dry-run'], {
      answers: answersByFile.pedidos ?? [],
    });
    expect({ exitCode, files: shop.files() }).toEqual({
      exitCode: 0,
      files: ['pedidos.csv', 'pedidos.map.json'],
    });
    expect(stderr).toContain('pedidos.map.json, and');
  });

  it('is asked again when an answer is changed', async () => {
    const shop = await start('mappings/pedidos.csv');
    const answers = [
      ...(answersByFile.pedidos ?? []).slice(0, -1),
      ...['change', { pick: 'the note for the courier' }, 'none', 'right', 'right'],
    ];
    const { exitCode } = await shop.import([], { answers: [...answers, true] });
    expect(exitCode).toBe(0);
    const notes = (await shop.listed()).map((order) => withoutService(order).deliveryAddress);
    expect(notes).toHaveLength(7);
    expect(JSON.stringify(notes)).not.toContain('note');
  });

  it('keeps another file of the name of the mapping', async () => {
    const shop = await start('mappings/pedidos.csv');
    writeFileSync(shop.path('pedidos.map.json'), '{"columns":{}}');
    const { stderr } = await shop.import([], { answers: [...(answersByFile.pedidos ?? []), false] });
    expect(shop.files()).toEqual([
      'pedidos.csv',
      expect.stringMatching(/^pedidos\.map\.before-[0-9a-f]{8}\.json$/),
      'pedidos.map.json',
    ]);
    expect(stderr).toMatch(/The earlier .*pedidos\.map\.json is kept\sas\s.*pedidos\.map\.before-/);
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

  it('is asked about the names of products when no column holds a SKU', async () => {
    const shop = await start('mappings/pedidos.csv');
    writeFileSync(shop.csv, 'Pedido,Teléfono,Marca,Pago\n1,99112233,Sopa,Pagado\n2,99112244,Pan,Pagado\n');
    const answers = ['none', 'other column', { pick: 'Marca' }, 'right', true];
    const { asked } = await shop.import([], { answers });
    expect(asked.slice(1, 3)).toEqual(Array(2).fill('Which column is the name of the product?'));
    expect((await shop.listed()).map(({ items }) => items[0]?.name).sort()).toEqual(['Pan', 'Sopa']);
  });

  it('is asked about a column of addresses with a misspelt name', async () => {
    const shop = await start('import/unseen/typos.csv');
    const columns = [{ pick: 'Quantitiy' }, { tick: ['Adress'] }, { pick: 'Totl amount' }];
    const answers = [...columns, 'right', false];
    const { asked, stderr } = await shop.import(['--details'], { answers });
    expect(asked[1]).toContain('Which columns hold the address?');
    expect(stderr).toContain('Adress → deliveryAddress.street');
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

  it('names the amount when every order is collected and no header says what', async () => {
    const shop = await start('mappings/pedidos.csv');
    writeFileSync(
      shop.csv,
      'Pedido,Mobile,SKU,items[].name,Zz\nA1,99112233,TEA-001,Tea,8900\nA2,99112244,TEA-001,Tea,?\n',
    );
    const answers = ['other column', { pick: 'Zz' }];
    const { asked, stderr } = await shop.import([], { answers: [...answers, { leave: true }] });
    expect({ asked, stderr }).toMatchObject({
      asked: [
        'No column is known to say who pays. What does the courier collect?',
        'Which column is the amount to collect?',
        expect.any(String),
      ],
    });
  });

  it('shows the first orders whole when the profile has places of its own', async () => {
    const shop = await start('mappings/pedidos.csv');
    await shop.run(['profiles', 'fields', 'default', 'quantity=items[].pieces', 'name=recipient.name']);
    const { stderr } = await shop.import(['--dry-run'], { answers: answersByFile.pedidos ?? [] });
    expect(stderr).toMatch(/items {7}\d+ × /);
    expect(stderr).toContain('Places of this profile: quantity → items[].pieces, name → recipient.name.');
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

  it('off a terminal is named by the error: how to add a value to a remembered mapping', async () => {
    const shop = await start('mappings/pedidos.csv');
    await shop.import([], { answers: [...(answersByFile.pedidos ?? []), true] });
    shop.edit('17800,17800,Tarjeta', '17800,17800,Bizum');
    const { exitCode, stderr } = await shop.import(['--yes', '--dry-run']);
    expect(exitCode).toBe(2);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'run merchant-orders mappings add FILE.csv pedidos.map.json',
    );
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

  it('about a new column alone follows a remembered mapping', async () => {
    const shop = await start('mappings/pedidos.csv');
    await shop.import([], { answers: [...(answersByFile.pedidos ?? []), true] });
    const lines = readFileSync(shop.csv, 'utf8').trimEnd().split('\n');
    writeFileSync(shop.csv, lines.map((line, row) => `${line},${row === 0 ? 'Almacén' : 'B2'}`).join('\n'));
    const { asked, exitCode } = await shop.import([], { answers: ['right'] });
    expect({ exitCode, asked }).toEqual({ exitCode: 0, asked: ['Not read: Almacén. Right?'] });
    expect(await shop.import([], { answers: [] })).toMatchObject({ asked: [], exitCode: 0 });
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
});
