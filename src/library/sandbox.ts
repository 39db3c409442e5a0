import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { namesFlag, plainText } from '../advice/advice.ts';
import { CliError } from '../errors.ts';
import { type Json, writeJson } from '../orders/json.ts';
import { packageFilesIn } from '../package-files.ts';
import { type AdminService, callAdmin } from '../sandbox/admin/admin.ts';
import { describeOrder } from '../sandbox/admin/describe-order.ts';
import { ApiError } from '../sandbox/behaviour/api-error.ts';
import { describeIssues } from '../sandbox/behaviour/issues.ts';
import type { Assertion } from '../sandbox/record/assertions.ts';
import {
  packagedCatalogue,
  readInputs,
  sandboxSchema,
  startSandbox as startService,
} from '../sandbox/sandbox.ts';
import { type Database, openDatabase } from '../system/sqlite.ts';
import type * as types from './types.ts';

/** A test may replace Date at any time. */
const systemTime = () => Date.now();
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
  now: z.custom<() => number>(isFunction, 'Invalid input: expected function').default(() => systemTime),
});

export class SandboxError extends Error implements types.SandboxError {
  override readonly name = 'SandboxError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const startSandbox: typeof types.startSandbox = async (options = {}) => {
  try {
    const { data, error } = optionsSchema.safeParse(options);
    if (error) throw new CliError('usage', `startSandbox: ${describeIssues(error)}.`);
    return await start(data);
  } catch (error) {
    throw ownError(error);
  }
};

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
      if (isStopped) throw new SandboxError('stopped', 'This sandbox was stopped.');
      return service;
    };
    /** As a request to the admin API does. */
    const control = (name: string, route: string, body?: unknown, reference?: string): unknown => {
      try {
        return callAdmin(running(), route, { body, reference });
      } catch (error) {
        throw ownError(error, `${name}: `);
      }
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
      reset: () => void control('reset', 'POST /reset', { everything: true }),
      setFaults: (given) => void control('setFaults', 'PUT /faults', given),
      clearFaults: () => void control('clearFaults', 'DELETE /faults'),
      setBehaviour: (given) => void control('setBehaviour', 'PUT /behaviour', given),
      setClock(time) {
        if (time === undefined) control('setClock', 'DELETE /clock');
        else control('setClock', 'PUT /clock', time instanceof Date ? { now: isoOf(time) } : time);
      },
      moveOrder: (order, status) =>
        plain(control('moveOrder', 'PUT /orders/:reference/status', { status }, String(order))),
      orders: () => listOrders(running()),
      requests: () => running().requestLog.journal.list({}, 0, Number.POSITIVE_INFINITY).requests.reverse(),
      assert(expected) {
        const { checks } = control('assert', 'POST /assert', expected) as { checks: Assertion[] };
        assertPromises(checks);
      },
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
  return orders.reverse().map((order) => plain(describeOrder(store, order)));
}

/** The numbers of an order keep their digits in `JsonObject`, which is none of JavaScript. */
function plain(order: unknown): types.SandboxOrder {
  return JSON.parse(writeJson(order as Json));
}

/** An invalid date is refused by its text. */
function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString();
}

function assertPromises(checks: readonly Assertion[]): void {
  const broken = checks.filter(({ passed }) => !passed);
  if (broken.length === 0) return;
  const lines = broken.flatMap(({ name, violations, violationCount }) => [
    `${name}:`,
    ...violations.map((violation) => `  - ${violation}`),
    ...(violationCount > violations.length ? [`  - and ${violationCount - violations.length} more`] : []),
  ]);
  const message = `The sandbox received requests that break a promise:\n${lines.join('\n')}`;
  throw new SandboxError('promise_broken', message);
}

/** Without hints that name flags, which are for the command line. */
function ownError(error: unknown, prefix = ''): unknown {
  if (error instanceof ApiError) return new SandboxError('usage', `${prefix}${error.message}.`);
  if (!(error instanceof CliError)) return error;
  const { message, code } = error;
  const { hint } = error.details;
  const isForCode = hint !== undefined && !namesFlag(hint);
  return new SandboxError(code, isForCode ? `${message}\n${plainText(hint, { isWindows: false })}` : message);
}
