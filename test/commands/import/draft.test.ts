import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../import/tables.ts';
import { runCli } from '../../support/cli.ts';
import { folderWith } from './setup.ts';

type Draft = Record<string, Record<string, unknown>>;

/** What a person writes in place of each question, by the path of the question. */
const answers: Record<string, Record<string, string>> = {
  'pedidos.csv': {
    'columns.items[].sku': 'Código',
    'columns.total': 'Importe',
    'values.Pago.Tarjeta': 'prepaid',
    'values.Pago.Pendiente': 'leave_out',
    'values.Estado.Preparado': 'deliver',
    'ignore.0': 'Fecha',
    'ignore.4': 'Etiquetas',
  },
  'zahialga.csv': {
    'columns.customer.phone': 'Хүлээн авагчийн утас',
    'values.Төлбөр.QPay': 'prepaid',
    'values.Төлбөр.Дансаар': 'prepaid',
    'values.Төлбөр.Хүлээгдэж буй': 'leave_out',
    'ignore.2': 'Барааны дүн',
  },
  'bestellungen.csv': {
    'columns.total': 'Gesamtbetrag',
    'values.Zahlungsart.Rechnung': 'leave_out',
    'values.Status.verpackt': 'deliver',
    'ignore.0': 'Bestelldatum',
  },
};

function fillIn(draft: Draft, file: string): { asked: string[]; filled: Draft } {
  const asked: string[] = [];
  const filled = structuredClone(draft);
  const visit = (value: Record<string, unknown>, path: string) => {
    for (const [key, inner] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      if (typeof inner === 'string' && inner.startsWith('?')) {
        asked.push(place);
        value[key] = answers[file]?.[place];
      } else if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>, place);
    }
  };
  visit(filled, '');
  return { asked, filled };
}

interface Expected {
  id: string;
  order?: unknown;
  leftOut?: string;
}

function ordersIn(stdout: string): Expected[] {
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.slice(0, -1).map(({ externalOrderId, request, outcome, code }) => ({
    id: externalOrderId,
    ...(outcome === 'left_out' ? { leftOut: code } : { order: request }),
  }));
}

describe('the draft of a mapping', () => {
  it.each(Object.keys(answers))('imports when its questions are answered: %s', async (file) => {
    const { csv, path } = folderWith(`mappings/${file}`);
    const map = path('orders.map.json');
    const written = await runCli(['import', csv, '--write-map', map]);
    const { asked, filled } = fillIn(JSON.parse(readFileSync(map, 'utf8')), file);
    expect(asked.sort()).toEqual(Object.keys(answers[file] ?? {}).sort());
    expect({ stdout: written.stdout, stderr: written.stderr, exitCode: written.exitCode }).toEqual({
      stdout: '',
      stderr: `${map} has ${asked.length} open questions ("? ..."). Answer them and run:\n  merchant-orders import ${csv} --map ${map}\n`,
      exitCode: 0,
    });

    const early = await runCli(['import', csv, '--map', map, '--dry-run']);
    expect(early.exitCode).toBe(2);
    expect(early.stderr).toContain(`error: ${map} has ${asked.length} open questions.`);
    for (const place of asked) expect(early.stderr).toContain(`  ${place}: `);

    writeFileSync(map, JSON.stringify(filled));
    const { stdout, stderr, exitCode } = await runCli([
      ...['import', csv, '--map', map, '--dry-run', '--format', 'ndjson'],
    ]);
    expect({ stderr: exitCode === 0 ? '' : stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const expected = readFileSync(fixture(`mappings/${file.replace('.csv', '.orders.json')}`), 'utf8');
    expect(ordersIn(stdout)).toEqual(JSON.parse(expected));
  });

  it('is in the error of a header that does not say everything', async () => {
    const { csv } = folderWith('mappings/pedidos.csv');
    const { stderr, exitCode } = await runCli(['import', csv, '--yes']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('A mapping of this file, which has 7 open questions ("? ..."):\n{\n');
    expect(stderr).toContain(
      `or write the mapping into a file:\n  merchant-orders import ${csv} --yes --write-map ${csv.replace('.csv', '.map.json')}\n`,
    );
    const json = await runCli(['import', csv, '--yes', '--json']);
    const { error } = JSON.parse(json.stderr.slice(json.stderr.lastIndexOf('\n{"error"')));
    expect(error).toMatchObject({ code: 'file_invalid', exitCode: 2 });
    const printed = await runCli(['import', csv, '--write-map', '-']);
    expect(error.draft).toEqual(JSON.parse(printed.stdout));
  });

  it('is no part of an error that no mapping solves', async () => {
    const { csv, edit } = folderWith('mappings/pedidos.csv');
    edit('Notas', 'customer.phonee');
    const { stderr } = await runCli(['import', csv, '--yes']);
    expect(stderr).not.toContain('A mapping of this file');
  });

  it('of the export of a shop has only what its preset does not know', async () => {
    const { csv, path } = folderWith('mappings/pedidos.csv');
    const columns =
      'Name,Email,Financial Status,Fulfillment Status,Currency,Total,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Phone,Payment Method,Shipping Street';
    const order = (id: number, state: string, method: string) =>
      `#${id},a@example.com,${state},unfulfilled,MNT,8900,1,Tea,TEA-001,9911220${id},${method},Street ${id}`;
    const orders = [
      order(1, 'pending', 'Vale'),
      order(2, 'paid', 'Bono'),
      order(3, 'pending', 'Bank Deposit'),
    ];
    writeFileSync(csv, `${[columns, ...orders].join('\n')}\n`);
    const { stdout } = await runCli(['import', csv, '--write-map', '-']);
    expect(JSON.parse(stdout)).toEqual({
      on_delivery: [{ 'Payment Method': '? Vale' }],
      unpaid: '? collect | prepaid | leave-out',
    });
    const map = path('orders.map.json');
    writeFileSync(map, '{"on_delivery": [{"Payment Method": "Vale"}], "unpaid": "leave-out"}');
    const flags = ['--preset', 'shopify', '--map', map, '--dry-run', '--format', 'ndjson'];
    const sent = await runCli(['import', csv, ...flags]);
    expect(ordersIn(sent.stdout)).toMatchObject([
      { id: '#1', order: { collectionMode: 'COLLECT', collectionAmount: '8900' } },
      { id: '#2', order: { collectionMode: 'NONE' } },
      { id: '#3', leftOut: 'unpaid' },
    ]);
  });

  it('keeps an earlier file of the same name', async () => {
    const { csv, path, files } = folderWith('mappings/pedidos.csv');
    writeFileSync(path('orders.map.json'), '{}');
    const { stderr, exitCode } = await runCli(['import', csv, '--write-map', path('orders.map.json')]);
    const [kept] = files().filter((name) => name.includes('.before-'));
    expect(stderr).toContain(`The earlier ${path('orders.map.json')} is kept as ${path(kept ?? '')}.\n`);
    expect(readFileSync(path(kept ?? ''), 'utf8')).toBe('{}');
    expect(exitCode).toBe(0);
  });

  it('is printed for standard input', async () => {
    const stdin = readFileSync(fixture('mappings/pedidos.csv'), 'utf8');
    const { csv } = folderWith('mappings/pedidos.csv');
    const fromFile = await runCli(['import', csv, '--write-map', '-']);
    const { stdout, exitCode } = await runCli(['import', '-', '--write-map', '-'], { stdin });
    expect({ stdout, exitCode }).toEqual({ stdout: fromFile.stdout, exitCode: 0 });
  });

  it('does not replace a file of the configuration', async () => {
    const { csv, configDirectory } = folderWith('mappings/pedidos.csv');
    const own = join(configDirectory, 'config.json');
    const { stderr, exitCode } = await runCli(['import', csv, '--write-map', own], { configDirectory });
    expect(stderr).toContain(`error: The mapping would overwrite ${own}.`);
    expect(exitCode).toBe(2);
  });

  it('does not replace the file that it describes', async () => {
    const { csv } = folderWith('mappings/pedidos.csv');
    const before = readFileSync(csv, 'utf8');
    const { stderr, exitCode } = await runCli(['import', csv, '--write-map', csv]);
    expect({ stderr, exitCode }).toEqual({
      stderr: `error: The mapping would overwrite ${csv}.\nChoose another name: --write-map ${csv.replace('.csv', '.map.json')}\n`,
      exitCode: 2,
    });
    expect(readFileSync(csv, 'utf8')).toBe(before);
  });
});
