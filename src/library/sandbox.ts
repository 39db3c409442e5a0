import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { namesFlag, plainText } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { writeJson } from '../orders/json.ts';
import { type PackageFiles, packageFilesIn } from '../package-files.ts';
import type { AdminService } from '../sandbox/admin/admin.ts';
import { resetService } from '../sandbox/admin/admin.ts';
import { describeOrder } from '../sandbox/admin/describe-order.ts';
import { describeIssues } from '../sandbox/behaviour/issues.ts';
import { findPackaged, parseBehaviourFile } from '../sandbox/behaviour/parse.ts';
import type { BehaviourSettings } from '../sandbox/behaviour/schema.ts';
import { checkCatalogue, parseCatalogue } from '../sandbox/catalogue.ts';
import { assertionNames, checkAssertions } from '../sandbox/record/assertions.ts';
import type { Seed } from '../sandbox/rules/seed.ts';
import {
  lacksCatalogue,
  parseSeed,
  type SandboxOptions,
  sandboxSchema,
  startSandbox as startService,
} from '../sandbox/sandbox.ts';
import type { Product } from '../sandbox/store/products.ts';
import { type Database, openDatabase } from '../system/sqlite.ts';
import type * as types from './types.ts';

const text = z.string().min(1);
const isFunction = (value: unknown) => typeof value === 'function';
const optionsSchema = z.strictObject({
  apiKey: text.optional(),
  adminToken: text.optional(),
  port: z.int().min(0).max(65_535).default(0),
  database: text.default(':memory:'),
  behaviour: z
    .union([text, z.record(z.string(), z.unknown())], 'Invalid input: expected a name, a path, or an object')
    .optional(),
  catalogue: z
    .union([text, z.array(z.unknown())], 'Invalid input: expected a path, or an array of products')
    .optional(),
  seed: z
    .union([text, z.record(z.string(), z.unknown())], 'Invalid input: expected a path, or an object')
    .optional(),
  now: z.custom<() => number>(isFunction, 'Invalid input: expected function').optional(),
});

/** @throws Error with a `code`, such as `port_in_use`, `file_invalid` or `usage` */
export const startSandbox: typeof types.startSandbox = async (options = {}) => {
  try {
    return await start(options);
  } catch (error) {
    throw error instanceof CliError ? plainError(error) : error;
  }
};

async function start(options: types.SandboxOptions): Promise<types.Sandbox> {
  const { data, error } = optionsSchema.safeParse(options);
  if (error) throw new CliError('usage', `startSandbox: ${describeIssues(error)}.`);
  const { apiKey, adminToken, port, now = Date.now } = data;
  if (!Number.isFinite(now()))
    throw new CliError('usage', 'startSandbox: now: must return the time in milliseconds, as a number.');
  const behaviour = await readBehaviour(data.behaviour);
  const given = data.catalogue === undefined ? undefined : await readCatalogue(data.catalogue);
  const seed = data.seed === undefined ? undefined : await readSeed(data.seed);
  const database = await open(data.database);
  try {
    const catalogue = given ?? (lacksCatalogue(database) ? packagedCatalogue() : undefined);
    const sandbox = await startService({
      database,
      port,
      now,
      randomUuid: randomUUID,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(adminToken === undefined ? {} : { adminToken }),
      ...(behaviour === undefined ? {} : { behaviour }),
      ...(catalogue === undefined ? {} : { catalogue }),
      ...(seed === undefined ? {} : { seed }),
    });
    const { service, baseUrl } = sandbox;
    let isStopped = false;
    const running = () => {
      if (isStopped) throw new Error('This sandbox was stopped.');
      return service;
    };
    const stop = () => {
      isStopped = true;
      return sandbox.stop();
    };
    return {
      baseUrl,
      apiKey: sandbox.apiKey,
      adminToken: sandbox.adminToken,
      isSeedSkipped: sandbox.isSeedSkipped,
      reset: () => resetService(running(), { everything: true }),
      orders: () => listOrders(running()),
      requests: () => running().requestLog.journal.list({}, 0, Number.POSITIVE_INFINITY).requests.reverse(),
      assert: (expected) => assertPromises(running(), readExpected(expected)),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const expectedSchema = z.strictObject({ externalOrderIds: z.array(z.string()).optional() });

function readExpected(expected: unknown = {}): readonly string[] | undefined {
  const { data, error } = expectedSchema.safeParse(expected);
  if (error) throw new CliError('usage', `assert: ${describeIssues(error)}.`);
  return data.externalOrderIds;
}

async function open(path: string): Promise<Database> {
  try {
    return await openDatabase(path, sandboxSchema(randomUUID));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('configuration_invalid', `The database ${path} cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

function packageFiles(): PackageFiles {
  const { resolve } = module.createRequire(import.meta.url);
  return packageFilesIn(pathToFileURL(resolve('merchant-orders/package.json')));
}

function packagedCatalogue(): Product[] {
  return parseCatalogue(packageFiles().readText('fixtures/catalogue.csv'), 'catalogue.csv');
}

async function readBehaviour(
  given: string | Record<string, unknown> | undefined,
): Promise<SandboxOptions['behaviour']> {
  if (typeof given !== 'string') return given as BehaviourSettings | undefined;
  const { list, readText: readPackaged } = packageFiles();
  const folder = 'fixtures/behaviours/';
  const packaged = findPackaged(given, () => list(folder));
  return packaged === undefined
    ? parseBehaviourFile(await readText(given), given)
    : parseBehaviourFile(readPackaged(folder + packaged), packaged);
}

async function readCatalogue(given: string | unknown[]): Promise<Product[]> {
  return typeof given === 'string' ? parseCatalogue(await readText(given), given) : checkCatalogue(given);
}

async function readSeed(given: string | Record<string, unknown>): Promise<Seed> {
  return typeof given === 'string'
    ? parseSeed(await readText(given), given)
    : parseSeed(JSON.stringify(given), 'The seed');
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('file_not_readable', `${path} cannot be read: ${reason}`, { cause: error });
  }
}

const batch = 1000;

function listOrders({ store }: AdminService): types.SandboxOrder[] {
  const found: types.SandboxOrder[] = [];
  for (let offset = 0; ; offset += batch) {
    const { orders } = store.listOrders(undefined, {}, { offset, limit: batch, sequence: 'latest_first' });
    found.push(...orders.map((order) => JSON.parse(writeJson(describeOrder(store, order)))));
    if (orders.length < batch) return found.reverse();
  }
}

function assertPromises({ store }: AdminService, externalOrderIds: readonly string[] | undefined): void {
  const broken = checkAssertions(store, assertionNames, externalOrderIds).filter(({ passed }) => !passed);
  if (broken.length === 0) return;
  const lines = broken.flatMap(({ name, violations, violationCount }) => [
    `${name}:`,
    ...violations.map((violation) => `  - ${violation}`),
    ...(violationCount > violations.length ? [`  - and ${violationCount - violations.length} more`] : []),
  ]);
  const message = `The sandbox received requests that break a promise:\n${lines.join('\n')}`;
  throw new AssertionError({ message, stackStartFn: assertPromises });
}

/** Without hints that name flags, which are for the command line. */
function plainError({ message, code, details: { hint } }: CliError): Error {
  const isForCode = hint !== undefined && !namesFlag(hint);
  const text = isForCode ? `${message}\n${plainText(hint, { isWindows: false })}` : message;
  return Object.assign(new Error(text), { code });
}
