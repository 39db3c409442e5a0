import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliOptions, errorIn, temporaryDirectory } from '../../support/cli.ts';
import { startService } from '../../support/service.ts';
import { catalogue } from './setup.ts';

const columns = {
  externalOrderId: 'Pedido',
  'customer.phone': 'Teléfono',
  'items[].sku': 'Código',
  total: 'Total',
};
const header = 'Pedido,Teléfono,Código,Total,Pago,Moneda,Envío,Nota';

/** A shop whose files are `monday.csv` and so on, and a service that counts what arrives. */
async function start() {
  const directory = temporaryDirectory();
  const { sandbox, cli } = await startService({ catalogue });
  const configDirectory = join(temporaryDirectory(), 'configuration');
  const path = (name: string) => join(directory, name);
  const write = (name: string, head: string, ...rows: string[]) =>
    writeFileSync(path(name), `${[head, ...rows].join('\n')}\n`);
  const run = (args: string[], more: CliOptions = {}) => cli(args, { configDirectory, ...more });
  let number = 0;
  return {
    path,
    write,
    run,
    /** Remembers a mapping for a file with these rows: what follows the total. */
    teach: async (mapping: object, rows: string[], head = header) => {
      write('monday.csv', head, ...rows.map((cells) => `${++number},99112233,TEA-001,900,${cells}`));
      writeFileSync(path('map.json'), JSON.stringify({ columns, ...mapping }));
      const { stderr, exitCode } = await run(['mappings', 'add', path('monday.csv'), path('map.json')]);
      expect([stderr, exitCode]).toEqual([expect.stringContaining('Remembered as monday'), 0]);
    },
    /** Imports a file with these rows. */
    tuesday: async (rows: string[], args: string[] = [], head = header) => {
      write('tuesday.csv', head, ...rows.map((cells) => `${++number},99112233,TEA-001,900,${cells}`));
      const { stderr, stdout, exitCode } = await run([
        'import',
        path('tuesday.csv'),
        '--yes',
        '--json',
        ...args,
      ]);
      const issues = exitCode === 2 ? errorIn(stderr).issues : [];
      const listed = await run(['list', '--all', '--format', 'ndjson']);
      const sent = listed.stdout.split('\n').filter((line) => line !== '').length;
      return { stderr, stdout, exitCode, sent, issues: issues as { code: string; path: string }[] };
    },
    sandbox,
    configDirectory,
  };
}

const prepaid = {
  constants: { collectionMode: 'NONE' },
  ignore: ['Moneda', 'Envío', 'Nota'],
  ignore_anyway: ['Pago'],
};

describe('a mapping of a file whose orders were all prepaid', () => {
  it.each([
    [
      'listed',
      { constants: {}, ignore: ['Moneda', 'Envío', 'Nota'], values: { Pago: { Tarjeta: 'prepaid' } } },
      'Tarjeta',
      'Contra reembolso',
    ],
    ['ignored', prepaid, 'Tarjeta', 'Contra reembolso'],
    ['ignored, of a word that nobody knows', prepaid, 'Tarjeta', 'Bizum'],
    ['blank', prepaid, '', 'Efectivo'],
  ])(
    'refuses those of the next day that are cash: the payment column was %s',
    async (_, mapping, first, second) => {
      const { teach, tuesday } = await start();
      await teach(mapping, [`${first},MNT,Hogar,`, `${first},MNT,Hogar,`]);
      expect(await tuesday([`${first},MNT,Hogar,`])).toMatchObject({ exitCode: 0, sent: 1 });
      const { exitCode, sent, issues } = await tuesday([`${first},MNT,Hogar,`, `${second},MNT,Hogar,`]);
      expect({ exitCode, sent }).toEqual({ exitCode: 2, sent: 1 });
      expect(issues).toMatchObject([{ code: 'value_unknown', value: second }]);
    },
  );

  it('refuses amounts to collect where all were zero, or blank', async () => {
    const head = header.replace('Pago', 'Amount due');
    for (const blank of ['0', '0.00', '']) {
      const { teach, tuesday } = await start();
      const mapping = { ...prepaid, ignore_anyway: ['Amount due'] };
      await teach(mapping, [`${blank},MNT,Hogar,`], head);
      expect(await tuesday([`${blank},MNT,Hogar,`], [], head)).toMatchObject({ exitCode: 0 });
      const cash = await tuesday(['45000,MNT,Hogar,'], [], head);
      expect(cash).toMatchObject({
        exitCode: 2,
        sent: 1,
        issues: [{ code: 'value_unknown', value: '45000' }],
      });
    }
  });

  it('refuses another currency, pickup and a note about cash, and takes other notes', async () => {
    const { teach, tuesday } = await start();
    await teach(prepaid, ['Tarjeta,MNT,Hogar,']);
    for (const cells of [
      'Tarjeta,USD,Hogar,',
      'Tarjeta,MNT,Retiro en local,',
      'Tarjeta,MNT,Hogar,contra reembolso',
    ])
      expect(await tuesday([cells]), cells).toMatchObject({ exitCode: 2, sent: 0 });
    expect(await tuesday(['Tarjeta,MNT,Hogar,llamar antes'])).toMatchObject({ exitCode: 0, sent: 1 });
  });

  it('says what is new, how often, and the way out', async () => {
    const { teach, tuesday } = await start();
    await teach(prepaid, ['Tarjeta,MNT,Hogar,']);
    const { stderr } = await tuesday(['Bizum,MNT,Hogar,', 'Bizum,MNT,Hogar,', 'Tarjeta,MNT,Hogar,']);
    expect(stderr).toContain('"Bizum" was not in this column when the mapping "monday" was remembered');
    expect(stderr).toContain('"Pago": {"Bizum": "collect"}');
    expect(stderr).toContain('same in 1 more row: 3');
  });
});

describe('at a terminal, a new value of a remembered mapping', () => {
  const listed = { ignore: ['Moneda', 'Envío', 'Nota'], values: { Pago: { Tarjeta: 'prepaid' } } };
  const rows = [
    '8,99112233,TEA-001,900,Tarjeta,MNT,Hogar,',
    '9,99112234,TEA-001,950,Contra reembolso,MNT,Hogar,',
  ];
  const who = 'Pago is “Contra reembolso” (1 row): who pays?';
  const known = 'Pago is “Tarjeta” (1 row): who pays?';
  const holds = 'What does Pago hold? Tarjeta (1), Contra reembolso (1)';

  it.each([
    ['that the mapping lists the others of', listed, ['collect'], [who], 1],
    ['that it ignored', prepaid, ['payment_method', 'prepaid', 'collect'], [holds, known, who], 1],
    ['that it ignored, and everything is prepaid', prepaid, ['nothing'], [holds], 0],
  ])(
    'in a column %s is asked about, and not a second time',
    async (_, mapping, answers, asked, collecting) => {
      const { teach, run, write, path } = await start();
      await teach(mapping, ['Tarjeta,MNT,Hogar,']);
      write('new.csv', header, ...rows);
      const dry = ['import', path('new.csv'), '--dry-run', '--json'];
      const first = await run(dry, { answers });
      expect([first.asked, first.exitCode]).toEqual([asked, 0]);
      expect(JSON.parse(first.stdout).plan).toMatchObject({ rememberedMapping: 'monday', collecting });
      const second = await run(dry, { answers: [] });
      expect([second.asked, second.exitCode]).toEqual([[], 0]);
      expect(JSON.parse(second.stdout).plan).toMatchObject({ collecting });
    },
  );
});

describe('a remembered mapping', () => {
  it('reads a file with the columns in another order, is named, and is not read with --map none', async () => {
    const { teach, run, write, path } = await start();
    await teach(prepaid, ['Tarjeta,MNT,Hogar,']);
    write(
      'other.csv',
      'Total,Nota,Pago,,Código,Pedido,Teléfono,Envío,Moneda',
      '900,,Tarjeta,,TEA-001,7,99112233,Hogar,MNT',
    );
    const dry = await run(['import', path('other.csv'), '--dry-run', '--json']);
    expect([dry.exitCode, JSON.parse(dry.stdout).plan]).toMatchObject([
      0,
      { rememberedMapping: 'monday', prepaid: 1 },
    ]);
    const shown = await run(['import', path('other.csv'), '--dry-run']);
    expect(shown.stderr).toContain('mapping monday (remembered)');
    const none = await run(['import', path('other.csv'), '--dry-run', '--map', 'none']);
    expect([none.exitCode, none.stderr]).toEqual([2, expect.stringContaining('externalOrderId')]);
  });

  it('asks for each new column, which a flag decides', async () => {
    const { teach, tuesday } = await start();
    await teach(prepaid, ['Tarjeta,MNT,Hogar,']);
    const head = `${header},Vendedor,Ciudad`;
    const rows = ['Tarjeta,MNT,Hogar,,Ana,UB'];
    const open = await tuesday(rows, [], head);
    expect(open).toMatchObject({ exitCode: 2, sent: 0 });
    expect(open.issues).toMatchObject([
      {
        code: 'columns_undecided',
        message: expect.stringContaining('nothing says what this column holds: Vendedor (Ana);'),
      },
      { code: 'column_unread', reason: 'address', path: 'Ciudad' },
    ]);
    const rest = await tuesday(rows, ['--ignore-rest'], head);
    expect(rest.issues).toMatchObject([{ code: 'column_unread', reason: 'address', path: 'Ciudad' }]);
    const flags = ['--ignore-column', 'Vendedor', '--map-column', 'Ciudad=deliveryAddress.city'];
    expect(await tuesday(rows, flags, head)).toMatchObject({ exitCode: 0, sent: 1 });
  });

  it('does not read a file without the payment column that it ignores', async () => {
    const { teach, tuesday } = await start();
    await teach(prepaid, ['Tarjeta,MNT,Hogar,']);
    const gone = await tuesday(['MNT,Hogar,'], [], header.replace(',Pago', ''));
    expect(gone).toMatchObject({ exitCode: 2, sent: 0 });
  });

  it('does not read a file without a column that it reads, and notes the lack of one that it ignores', async () => {
    const { teach, tuesday, run, path } = await start();
    await teach(prepaid, ['Tarjeta,MNT,Hogar,']);
    const gone = await tuesday(['Tarjeta,MNT,Hogar'], [], header.replace(',Nota', ''));
    expect(gone).toMatchObject({ exitCode: 0, sent: 1 });
    expect(gone.stderr).toContain('This file lacks "Nota", which earlier files had.');
    const total = await tuesday(['Tarjeta,MNT,Hogar,'], [], header.replace('Total', '_total'));
    expect(total).toMatchObject({ exitCode: 2, sent: 1 });
    expect(total.issues).toContainEqual(expect.objectContaining({ path: 'externalOrderId' }));
    const again = await run(['import', path('tuesday.csv'), '--dry-run'], { answers: [{ leave: true }] });
    expect(again).toMatchObject({ exitCode: 130, asked: [expect.any(String)] });
  });
});

it('reports a damaged file of mappings, and imports without it when told to', async () => {
  const { run, write, path } = await start();
  const configDirectory = temporaryDirectory();
  mkdirSync(configDirectory, { recursive: true });
  writeFileSync(join(configDirectory, 'mappings.json'), '{', { mode: 0o600 });
  write('own.csv', 'externalOrderId,customer.phone,items[].sku,collectionMode', '1,99112233,TEA-001,NONE');
  const damaged = await run(['import', path('own.csv'), '--dry-run'], { configDirectory });
  expect([damaged.exitCode, damaged.stderr]).toEqual([2, expect.stringContaining('It was left as it is.')]);
  const none = await run(['import', path('own.csv'), '--dry-run', '--map', 'none'], { configDirectory });
  expect(none.exitCode).toBe(0);
});
