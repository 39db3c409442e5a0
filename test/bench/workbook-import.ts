import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { formatCsvRow } from '../../src/csv/write-csv.ts';
import { program } from '../support/program.ts';
import { escapeXml, rowXml, workbookOf } from '../support/workbook.ts';

/*
 * A dry run of 100,000 orders with 20 columns, as CSV and as a workbook with its texts in the cells and shared. Prints
 * the peak memory, the time, and the ratio of the processor time to that of the CSV. Needs Linux, and `npm run build`.
 */
const orders = 100_000;
const maxMebibytes = 200;
const notes = Array.from({ length: 8 }, (_, index) => `Тэмдэглэл ${index + 1}`);
const header = [
  ...['externalOrderId', 'customer.phone', 'customer.name', 'items[].sku', 'items[].name'],
  ...['items[].quantity:number', 'collectionMode', 'collectionAmount', 'total', 'requestedDeliveryDate'],
  ...['deliveryAddress.city', 'deliveryAddress.street', ...notes],
];

function orderOf(index: number): (string | number)[] {
  const amount = 1000 + ((index * 7919) % 89_000);
  return [
    ...[`UB-${100_000 + index}`, 99_000_000 + ((index * 7907) % 1_000_000), `Б.Өлзийбаяр ${index % 5000}`],
    ...[
      `TEA-${100 + (index % 300)}`,
      `Сүүтэй цай, ${index % 300} ширхэг`,
      1 + (index % 4),
      'COLLECT',
      amount,
      amount,
    ],
    ...[`2030-12-${10 + (index % 20)}`, 'Улаанбаатар', `Сөүлийн гудамж ${index % 200}, ${index % 90} тоот`],
    ...notes.map((_, column) => `Өгөгдөл ${(index * (column + 13)) % 30_000}-${column}`),
  ];
}

const table = [header, ...Array.from({ length: orders }, (_, index) => orderOf(index))];

function withSharedTexts(): Buffer {
  const numbers = new Map<string, number>();
  const rows = table.map((cells, row) => {
    const all = cells.map((cell) => {
      if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
      const number = numbers.get(cell) ?? numbers.size;
      numbers.set(cell, number);
      return `<c t="s"><v>${number}</v></c>`;
    });
    return `<row r="${row + 1}">${all.join('')}</row>`;
  });
  const strings = [...numbers.keys()].map((text) => `<si><t>${escapeXml(text)}</t></si>`).join('');
  return workbookOf({
    sheets: [{ name: 'Orders', xml: `<sheetData>${rows.join('')}</sheetData>` }],
    strings,
  });
}

function withTextsInCells(): Buffer {
  const rows = table.map((cells, row) => rowXml(row + 1, cells)).join('');
  return workbookOf({ sheets: [{ name: 'Orders', xml: `<sheetData>${rows}</sheetData>` }] });
}

const report = `import { readFileSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const peak = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  process.stderr.write('bench ' + JSON.stringify({ peak: peak / 1024, processor: (user + system) / 1e6 }));
});`;

function dryRun(path: string) {
  const started = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [program, 'import', path, '--dry-run', '--json'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      MERCHANT_ORDERS_CONFIG_DIR: folder,
      NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(report)}"`,
    },
  });
  const seconds = (performance.now() - started) / 1000;
  if (JSON.parse(stdout).orders.not_sent !== orders) throw new Error(stderr);
  const figures: { peak: number; processor: number } = JSON.parse(/bench (\{.*\})/.exec(stderr)?.[1] ?? '');
  return { seconds, ...figures };
}

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
try {
  const files: [what: string, name: string, bytes: () => string | Buffer][] = [
    ['CSV', 'orders.csv', () => table.map((cells) => `${formatCsvRow(cells.map(String))}\n`).join('')],
    ['workbook, shared texts', 'shared.xlsx', withSharedTexts],
    ['workbook, texts in cells', 'inline.xlsx', withTextsInCells],
  ];
  let ofCsv = 0;
  for (const [what, name, bytes] of files) {
    const path = join(folder, name);
    writeFileSync(path, bytes());
    const { seconds, processor, peak } = dryRun(path);
    ofCsv ||= processor;
    const ratio = (processor / ofCsv).toFixed(2);
    const memory = `${Math.round(peak)} MiB (goal ${maxMebibytes})`;
    console.log(
      `${what.padEnd(25)} ${memory}  ${seconds.toFixed(1)} s  processor ${processor.toFixed(1)} s, ratio ${ratio}`,
    );
    if (peak > maxMebibytes) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
