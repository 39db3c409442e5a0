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
    'ignore.3': 'Fecha',
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
    'ignore.2': 'Bestelldatum',
  },
};

/** Days that lie after today, and no delivery dates. */
const unread: Record<string, string[]> = { 'pedidos.csv': ['Fecha'] };

function fillIn(draft: Draft, file: string): { asked: string[]; filled: Draft } {
  const asked: string[] = [];
  const filled = structuredClone(draft);
  const visit = (value: Record<string, unknown>, path: string) => {
    for (const [key, inner] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      if (typeof inner === 'string' && inner.startsWith('? ')) {
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

    writeFileSync(map, JSON.stringify({ ...filled, ignore_anyway: unread[file] ?? [] }));
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

  it('keeps an earlier file of the same name', async () => {
    const { csv, path, files } = folderWith('mappings/pedidos.csv');
    writeFileSync(path('orders.map.json'), '{}');
    const { stderr, exitCode } = await runCli(['import', csv, '--write-map', path('orders.map.json')]);
    const [kept] = files().filter((name) => name.includes('.before-'));
    expect(stderr).toContain(`The earlier ${path('orders.map.json')} is kept as ${path(kept ?? '')}.\n`);
    expect(readFileSync(path(kept ?? ''), 'utf8')).toBe('{}');
    expect(exitCode).toBe(0);
  });

  it('does not replace a file of the configuration', async () => {
    const { csv, configDirectory } = folderWith('mappings/pedidos.csv');
    const own = join(configDirectory, 'config.json');
    const { stderr, exitCode } = await runCli(['import', csv, '--write-map', own], { configDirectory });
    expect(stderr).toContain(`error: The mapping would overwrite ${own}.`);
    expect(exitCode).toBe(2);
  });
});
