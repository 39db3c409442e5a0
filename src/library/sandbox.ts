import { AssertionError } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { namesFlag, plainText } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { writeJson } from '../orders/json.ts';
import { packageFilesIn } from '../package-files.ts';
import { type AdminService, resetService } from '../sandbox/admin/admin.ts';
import { describeOrder } from '../sandbox/admin/describe-order.ts';
import { describeIssues } from '../sandbox/behaviour/issues.ts';
import { assertionNames, checkAssertions } from '../sandbox/record/assertions.ts';
import {
  packagedCatalogue,
  readInputs,
  sandboxSchema,
  startSandbox as startService,
} from '../sandbox/sandbox.ts';
import { type Database, openDatabase } from '../system/sqlite.ts';
import type * as types from './types.ts';

const text = z.string().min(1);
const isFunction = (value: unknown) => typeof value === 'function';
const optionsSchema = z.strictObject({
  apiKey: text.optional(),
  adminToken: text.optional(),
  port: z.int().min(0).max(65_535).default(0),
  database: text.default(':memory:'),
  behaviour: z.unknown().optional(),
  catalogue: z.unknown().optional(),
  seed: z.unknown().optional(),
  now: z.custom<() => number>(isFunction, 'Invalid input: expected function').default(() => Date.now),
});

const expectedSchema = z.strictObject({ externalOrderIds: z.array(z.string()).optional() }).default({});

/** @throws Error with a `code`, such as `port_in_use`, `file_invalid` or `usage` */
export const startSandbox: typeof types.startSandbox = async (options = {}) => {
  try {
    return await start(check(optionsSchema, options, 'startSandbox'));
  } catch (error) {
    throw error instanceof CliError ? plainError(error) : error;
  }
};

function check<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const { data, error } = schema.safeParse(value);
  if (error) throw new CliError('usage', `${name}: ${describeIssues(error)}.`);
  return data as T;
}

async function start(options: z.output<typeof optionsSchema>): Promise<types.Sandbox> {
  const { database: path, now } = options;
  if (!Number.isFinite(now())) {
    throw new CliError('usage', 'startSandbox: now: must return the time in milliseconds, as a number.');
  }
  const { resolve } = module.createRequire(import.meta.url);
  const packageFiles = packageFilesIn(pathToFileURL(resolve('merchant-orders/package.json')));
  const inputs = await readInputs(options, { packageFiles, readText });
  const database = await open(path);
  try {
    const sandbox = await startService({
      ...options,
      ...inputs,
      defaultCatalogue: () => packagedCatalogue(packageFiles),
      database,
      randomUuid: randomUUID,
    });
    const { service, baseUrl, apiKey, adminToken, isSeedSkipped } = sandbox;
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
      apiKey,
      adminToken,
      isSeedSkipped,
      reset: () => resetService(running(), { everything: true }),
      orders: () => listOrders(running()),
      requests: () => running().requestLog.journal.list({}, 0, Number.POSITIVE_INFINITY).requests.reverse(),
      assert: (expected) =>
        assertPromises(running(), check(expectedSchema, expected, 'assert').externalOrderIds),
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

async function open(path: string): Promise<Database> {
  try {
    return await openDatabase(path, sandboxSchema(randomUUID));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { message } = error as Error;
    throw new CliError('configuration_invalid', `The database ${path} cannot be used: ${message}.`);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { message } = error as Error;
    throw new CliError('file_not_readable', `${path} cannot be read: ${message}`);
  }
}

function listOrders({ store }: AdminService): types.SandboxOrder[] {
  const { orders } = store.listOrders(undefined, {}, { offset: 0, limit: -1, sequence: 'latest_first' });
  return orders.reverse().map((order) => JSON.parse(writeJson(describeOrder(store, order))));
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
