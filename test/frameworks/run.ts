/**
 * npm run frameworks [-- NAME... --gateway NAME... --node --bounded --available --orders N --seed N --at-once N --write]:
 * real services on web frameworks, behind real gateways, and the built program against each. What the program says is
 * compared with the service's own store. Prints the matrix, and exits with 1 when a cell is wrong. Without names: all of
 * them. `--node`: only the frameworks on Node.js; `--bounded`: every second framework behind each gateway; `--available`:
 * leaves out what cannot be installed here, instead of failing; `--write`: writes the matrix to docs/frameworks.md.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { debianVersion, installDebianPackages } from '../support/debian.ts';
import { testEverything, testOutage } from './cell.ts';
import type { Cell } from './checks.ts';
import { type GatewayName, gateways } from './gateways.ts';
import { installNpmPackages } from './install.ts';
import { type Column, formatMatrix, formatPage, type Row } from './matrix.ts';
import { buildService, readServices, type ServiceDescription, versionOf } from './services.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gateway: { type: 'string', multiple: true },
    orders: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    node: { type: 'boolean', default: false },
    bounded: { type: 'boolean', default: false },
    available: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const services = chosen(
  readServices().filter(({ npm }) => !values.node || npm !== undefined),
  positionals,
  ({ name }) => name,
);
const allGateways: GatewayName[] = ['direct', ...(Object.keys(gateways) as (keyof typeof gateways)[])];
const gatewayNames = chosen(allGateways, values.gateway ?? [], (name) => name);
installNpmPackages();
installDebianPackages([
  ...services.flatMap(({ debian = [] }) => debian),
  ...gatewayNames.flatMap((name) => (name === 'direct' ? [] : gateways[name].debian)),
]);
execFileSync(process.execPath, ['bin/build.mjs'], { stdio: 'inherit' });
const columns: Column[] = gatewayNames.map((name) =>
  name === 'direct'
    ? { name, title: 'direct' }
    : { name, title: gateways[name].title, version: debianVersion(gateways[name].debian) },
);

const folder = mkdtempSync(join(tmpdir(), 'frameworks-'));
// Gateways that root starts become users of their own, and write below this folder.
chmodSync(folder, 0o711);
try {
  const { rows, jobs } = await planJobs();
  const work = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, work));
  console.log(formatMatrix(columns, rows));
  const cells = rows.flatMap((row) => [...row.cells.values()]);
  const isRight = (cell: Cell | 'missing') =>
    cell === 'missing' ? values.available : cell.failures.length === 0;
  if (!cells.every(isRight) || !cells.some((cell) => cell !== 'missing')) process.exitCode = 1;
  if (values.write) writeFileSync('docs/frameworks.md', formatPage(columns, rows));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function chosen<T>(all: readonly T[], names: readonly string[], nameOf: (value: T) => string): T[] {
  const unknown = names.filter((name) => !all.some((value) => nameOf(value) === name));
  if (unknown.length === 0) return all.filter((value) => names.length === 0 || names.includes(nameOf(value)));
  throw new Error(`unknown: ${unknown.join(', ')}; known: ${all.map(nameOf).join(', ')}`);
}

/** The rows of the matrix, and the jobs that fill their cells. */
async function planJobs() {
  const jobs: (() => Promise<void>)[] = [];
  const rows: Row[] = [];
  const isMissing = (column: Column) => column.name !== 'direct' && column.version === undefined;
  const plan = (row: Row, test: typeof testEverything, service: ServiceDescription, column: Column) => {
    row.cells.set(column.name, 'missing');
    if (versionOf(service) === undefined || isMissing(column)) return;
    const buildFolder = join(folder, `${service.name}-build`);
    const options = { service, buildFolder, gateway: column.name, folder, seed: values.seed };
    jobs.push(async () => {
      row.cells.set(column.name, await test({ ...options, count: Number(values.orders) }));
    });
  };
  for (const [index, service] of services.entries()) {
    const row: Row = { title: service.title, version: versionOf(service), cells: new Map() };
    rows.push(row);
    if (row.version !== undefined) await buildService(service, join(folder, `${service.name}-build`));
    for (const [place, column] of columns.entries()) {
      const isChosen = !values.bounded || column.name === 'direct' || (index + place) % 2 === 0;
      if (isChosen) plan(row, testEverything, service, column);
    }
  }
  // One more import behind each gateway, each time to another service.
  const present = services.filter((service) => versionOf(service) !== undefined);
  const away: Row = { title: 'away for 5 s', version: undefined, cells: new Map() };
  for (const [index, column] of columns.entries()) {
    const service = present[index % present.length];
    if (column.name !== 'direct' && service !== undefined) plan(away, testOutage, service, column);
  }
  return { jobs, rows: away.cells.size > 0 ? [...rows, away] : rows };
}
