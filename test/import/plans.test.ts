import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { startPlainService } from '../support/plain-service.ts';
import { type FileOrder, type FilePlan, planFile } from '../support/plan-file.ts';
import { fixture } from './tables.ts';

/** One way to read a fixture, and the mapping file for it. */
interface Reading {
  flags: string[];
  map?: unknown;
}

const files = ['', 'import', 'import/cases', 'import/exports', 'import/unseen', 'mappings', 'shops'].flatMap(
  (folder) =>
    readdirSync(fixture(folder))
      // The demo leaves its results beside a fixture.
      .filter((name) => /(?<!\.results)\.(?:csv|txt|xlsx)$/.test(name))
      .map((name) => join(folder, name)),
);

let service: Awaited<ReturnType<typeof startPlainService>>;
beforeAll(async () => {
  service = await startPlainService();
});
afterAll(() => service.stop());

/**
 * `NAME.plan.json` beside a fixture has what an import makes of it. A change of a body or a key would create orders of
 * earlier imports again. UPDATE_PLANS=1 writes the files anew, with the flags that they have.
 */
test.each(files)('%s is planned, and sent, as before', async (name) => {
  const path = fixture(name);
  const plan = path.replace(/\.\w+$/, '.plan.json');
  const before = existsSync(plan) ? readFileSync(plan, 'utf8') : '[{ "flags": [] }]';
  const readings: Reading[] = JSON.parse(before);
  const texts: string[] = [];
  for (const { flags, map } of readings) texts.push(await describePlan(path, { flags, map }));
  const text = `[\n${texts.join(',\n')}\n]\n`;
  if (process.env.UPDATE_PLANS === '1') writeFileSync(plan, text);
  else expect(text).toBe(before);
});

async function describePlan(path: string, { flags, map }: Reading): Promise<string> {
  const plan = await planFile(path, flags, { map });
  const creates = await send(path, flags, map, plan);
  // What a person read from the file is beside it; the key is made from all of the body.
  const isRead = existsSync(path.replace(/\.\w+$/, '.orders.json'));
  const parts = [
    `"flags": ${JSON.stringify(flags)}`,
    ...(map === undefined ? [] : [`"map": ${JSON.stringify(map)}`]),
    ...(plan.error === undefined ? [] : [`"error": ${JSON.stringify(plan.error)}`]),
    ...(plan.summary === undefined ? [] : [`"read": ${JSON.stringify(readingOf(plan.summary))}`]),
    list(
      'orders',
      plan.orders.map((order) => lineOf(order, creates, isRead)),
    ),
    list('problems', plan.problems.map(lineOfProblem)),
  ];
  return `{\n${parts.join(',\n')}\n}`;
}

type Creates = ReadonlyMap<string, { key: string; body: string }>;

/** What is sent, by external order ID. */
async function send(
  path: string,
  flags: string[],
  map: unknown,
  { orders, summary }: FilePlan,
): Promise<Creates> {
  const ready = orders.filter(isReady);
  const needsPreset = summary?.plan.shop != null && !flags.includes('--preset');
  if (ready.length === 0 || needsPreset) return new Map();
  const directory = temporaryDirectory();
  const copy = join(directory, basename(path));
  copyFileSync(path, copy);
  const args = ['import', copy, ...flags, '--yes', '--on-invalid', 'skip'];
  if (map !== undefined) {
    writeFileSync(join(directory, 'map.json'), JSON.stringify(map));
    args.push('--map', join(directory, 'map.json'));
  }
  service.creates.length = 0;
  service.orders.length = 0;
  // Nobody has to confirm where a sandbox expects the fields.
  const env = { ...service.env, MERCHANT_ORDERS_API_KEY: 'sandbox_1' };
  const { stderr } = await runCli(args, { env });
  const sent = new Map(service.creates.map((create) => [idIn(create.body), create]));
  const received = ready.map(({ id }) => JSON.parse(sent.get(id)?.body ?? 'null'));
  expect(received, stderr).toEqual(ready.map(({ order }) => order));
  expect(service.creates).toHaveLength(ready.length);
  return sent;
}

function idIn(body: string): string {
  return JSON.parse(body).externalOrderId;
}

function isReady({ leftOut, invalid }: FileOrder): boolean {
  return leftOut === undefined && invalid === undefined;
}

function lineOf(order: FileOrder, creates: Creates, isRead: boolean): string {
  const { row, id, leftOut, invalid, warnings = [] } = order;
  const told = warnings.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`));
  const create = isReady(order) ? creates.get(id) : undefined;
  const start = JSON.stringify({
    row,
    id,
    leftOut,
    invalid,
    warnings: told.length === 0 ? undefined : told,
    key: create?.key,
  });
  return create && !isRead ? `${start.slice(0, -1)},"body":${create.body}}` : start;
}

function lineOfProblem({ at, severity, code, ...words }: FilePlan['problems'][number]): string {
  return JSON.stringify({ at: severity === 'warning' ? `warning: ${at}` : at, code, ...words });
}

/** What the summary of the dry run says of the file, where it says anything. */
function readingOf({ orders, leftOut, rows, plan }: NonNullable<FilePlan['summary']>) {
  const { firstOrder: _, mapping, ...about } = plan;
  const columns = (mapping as { header: string; path: string }[]).map(
    ({ header, path }) => `${header} → ${path}`,
  );
  return withoutEmpty({ rows, orders, leftOut, ...about, mapping: columns });
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(
    members.filter(([, member]) => ![null, 0].includes(member as null) && !isEmpty(member)),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function list(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? `"${name}": []` : `"${name}": [\n${lines.join(',\n')}\n]`;
}
