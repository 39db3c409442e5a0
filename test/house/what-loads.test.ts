import { readFileSync, writeFileSync } from 'node:fs';
import { env, versions } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { startPlainService } from '../support/plain-service.ts';
import { type LoadedModule, runWithModules } from '../support/program.ts';

/**
 * How many modules each command loads with Node.js 20, ours and those of libraries, and their kilobytes: ceilings that only
 * fall. UPDATE_LOADS=1 writes them; a commit that raises one says why.
 */
const table = new URL('what-loads.txt', import.meta.url);

const order = [
  '--external-order-id',
  'UB-2',
  '--phone',
  '99112233',
  '--item',
  'TEA-001',
  '--collect',
  '25000',
];

const commands: Record<string, { args: string[]; exitCode?: number }> = {
  '--version': { args: ['--version'] },
  '--help': { args: ['--help'] },
  'usage error': { args: ['list', '--page-size', '0'], exitCode: 2 },
  get: { args: ['get', 'UB-1'] },
  list: { args: ['list'] },
  create: { args: ['create', ...order, '--yes'] },
  cancel: { args: ['cancel', 'UB-1', '--reason', 'out of stock', '--yes'] },
  'dry run': { args: ['import', 'fixtures/orders.csv', '--dry-run'] },
};

const heads = ['our modules', 'our kB', 'library modules', 'library kB'];
/** Ceilings of kilobytes are multiples of this, so that not every word is a new one. */
const step = 4;
/** How far a figure may fall before its ceiling has to be lowered. */
const slack = [3, 2 * step, 3, 2 * step];

function figuresOf(modules: readonly LoadedModule[]): number[] {
  const isOurs = ({ path }: LoadedModule) => path.startsWith('src/');
  return [modules.filter(isOurs), modules.filter((module) => !isOurs(module))].flatMap((some) => {
    const bytes = some.reduce((sum, module) => sum + module.bytes, 0);
    return [some.length, Math.ceil(bytes / 1000 / step) * step];
  });
}

async function measure(): Promise<Map<string, number[]>> {
  const service = await startPlainService();
  onTestFinished(() => service.stop());
  service.orders.push({ id: crypto.randomUUID(), orderNumber: 'ORD-2026-000001', externalOrderId: 'UB-1' });
  const measured = new Map<string, number[]>();
  for (const [name, { args, exitCode = 0 }] of Object.entries(commands)) {
    const result = await runWithModules(args, { env: service.env });
    expect(result.exitCode, `${name}: ${result.stderr}`).toBe(exitCode);
    measured.set(name, figuresOf(result.modules));
  }
  return measured;
}

function formatTable(rows: Map<string, number[]>): string {
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(11)}${cells.map((cell, index) => String(cell).padStart((heads[index] ?? '').length + 4)).join('')}\n`;
  return [line('', heads), ...[...rows].map(([name, figures]) => line(name, figures))].join('');
}

function readTable(): Map<string, number[]> {
  const [, ...lines] = readFileSync(table, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const [, name = '', figures = ''] = /^(\S+(?: \S+)*) {2,}(.*)$/.exec(line) ?? [];
      return [name, figures.trim().split(/ +/).map(Number)];
    }),
  );
}

it.runIf(versions.node.startsWith('20.'))(
  'each command loads no more than its line of what-loads.txt',
  async () => {
    const measured = await measure();
    if (env.UPDATE_LOADS) writeFileSync(table, formatTable(measured));
    const ceilings = readTable();
    const wrong = [...measured].flatMap(([name, figures]) =>
      figures.flatMap((figure, index) => {
        const ceiling = ceilings.get(name)?.[index] ?? 0;
        const what = `${name}: ${heads[index]}`;
        if (figure > ceiling) return [`${what} ${figure}, more than ${ceiling}`];
        return figure < ceiling - (slack[index] ?? 0)
          ? [`${what} ${figure}: lower the ceiling of ${ceiling}`]
          : [];
      }),
    );
    expect(wrong, 'UPDATE_LOADS=1 writes what-loads.txt').toEqual([]);
    expect([...ceilings.keys()]).toEqual([...measured.keys()]);
  },
);
