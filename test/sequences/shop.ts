import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { rowsOf } from '../commands/import/setup.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../support/cli.ts';
import { type Oddity, startOddService } from '../support/odd-service/service.ts';
import { startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { createOrderFile } from './files.ts';
import { serverError, startGateway, type Treatment } from './gateway.ts';
import { createServiceSide } from './service-side.ts';
import { describeAs, type OrderResult } from './table.ts';

const minute = 60_000;

export interface ImportOptions extends Pick<CliOptions, 'interruption'> {
  flags?: string[];
  /** The name of another machine than `first`. */
  on?: string;
  apiKey?: string;
  file?: string;
}

export interface RunResult {
  exitCode: number;
  errorCode: string;
  orders: OrderResult[];
  /** The number of creates that it sent, and of all requests. */
  creates: number;
  requests: number;
  rejects: string;
}

/** `odd`: what the service does that no behaviour does. */
export type ShopOptions = Partial<SandboxOptions> & { odd?: Oddity };

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A service behind a gateway, machines that import one file into it, and a clock. The file has one order, A. */
export async function openShop({ odd, ...options }: ShopOptions = {}) {
  const clock = { ahead: 0 };
  let serviceAhead = 0;
  const { now = () => Date.now() + serviceAhead } = options;
  const { sandbox } = await startService({ ...options, now });
  const service = odd && (await startOddService(sandbox.baseUrl, odd));
  if (service) onTestFinished(() => service.stop());
  const gateway = await startGateway((service ?? sandbox).baseUrl, now);
  onTestFinished(() => gateway.stop());
  const side = createServiceSide(sandbox);
  const file = createOrderFile(temporaryDirectory());
  file.add('A');
  const machines = new Map<string, string>();
  const machine = (name = 'first') => {
    const directory = machines.get(name) ?? join(temporaryDirectory(), 'configuration');
    machines.set(name, directory);
    return directory;
  };
  /** The number of each run, by its ID. */
  const runs = new Map<string, number>();
  let startedRuns = 0;

  const envOf = (apiKey = sandbox.apiKey) => ({
    MERCHANT_ORDERS_BASE_URL: gateway.baseUrl,
    MERCHANT_ORDERS_API_KEY: apiKey,
  });
  const commandOf = ({ flags = [], file: path = file.path }: ImportOptions) => {
    const directory = temporaryDirectory();
    const outputs = [
      '--results',
      join(directory, 'results.csv'),
      '--rejects',
      join(directory, 'rejects.csv'),
    ];
    const concurrency = flags.includes('--concurrency') ? [] : ['--concurrency', '1'];
    return {
      results: join(directory, 'results.csv'),
      rejects: join(directory, 'rejects.csv'),
      args: ['import', path, '--yes', '--format', 'ndjson', ...concurrency, ...outputs, ...flags],
    };
  };
  const nameRun = (run: string) => {
    const number = runs.get(run);
    return run === '' ? 'no run' : number === undefined ? 'the killed run' : `run ${number}`;
  };

  async function runImport(given: ImportOptions = {}): Promise<RunResult> {
    const number = ++startedRuns;
    const { args, results, rejects } = commandOf(given);
    const before = { creates: gateway.creates.length, requests: gateway.counts.requests };
    const env = envOf(given.apiKey);
    const { interruption } = given;
    const { stdout, stderr, exitCode } = await runCli(args, {
      env,
      clock,
      configDirectory: machine(given.on),
      ...(interruption === undefined ? {} : { interruption }),
    });
    expect(stderr).not.toContain('unexpected_failure');
    const lines = linesOf(stdout);
    const { run } = lines.find((line) => line.run !== undefined) ?? {};
    if (run !== undefined) runs.set(run, number);
    const orders = existsSync(results)
      ? rowsOf(results).map((row) => ({
          externalOrderId: row.external_order_id ?? '',
          outcome: row.outcome ?? '',
          code: row.code ?? '',
          message: row.message ?? '',
          by: nameRun(row.created_by_run ?? ''),
        }))
      : lines.filter(({ outcome }) => outcome !== undefined).map(toOrderResult);
    return {
      exitCode,
      orders,
      rejects,
      errorCode: linesOf(stderr).find(({ error }) => error !== undefined)?.error?.code ?? '',
      creates: gateway.creates.length - before.creates,
      requests: gateway.counts.requests - before.requests,
    };
  }

  const toOrderResult = ({ externalOrderId, outcome, code = '', message = '', createdByRun = '' }: Line) => {
    return {
      externalOrderId: externalOrderId ?? '',
      outcome: outcome ?? '',
      code,
      message,
      by: nameRun(createdByRun),
    };
  };

  const configDirectory = (given: { on?: string } = {}) => machine(given.on);
  return {
    ...side,
    sandbox,
    gateway,
    file,
    clock,
    configDirectory,
    import: runImport,
    /** Imports, and compares the outcomes with a cell of the table. */
    async expectImport(outcomes: string, exitCode: number, given: ImportOptions = {}): Promise<RunResult> {
      const result = await runImport(given);
      expect([describeAs(outcomes, result.orders), result.exitCode]).toEqual([outcomes, exitCode]);
      return result;
    },
    treatCreates: (...all: Treatment[]) => gateway.setTreatments('create', all),
    treatCreatesOf: (externalOrderId: string, ...all: Treatment[]) =>
      gateway.setTreatments('create', all, externalOrderId),
    treatLists: (...all: Treatment[]) => gateway.setTreatments('list', all),
    /** Responses are lost and, from the first create on, lookups too. */
    loseResponses(): void {
      gateway.setTreatments('create', ['lose']);
      gateway.onCreate(() => gateway.setTreatments('list', [serverError]));
    },
    passAll(): void {
      gateway.onCreate(() => undefined);
      for (const route of ['create', 'list'] as const) gateway.setTreatments(route, ['pass']);
    },
    treatCancels: (...all: Treatment[]) => gateway.setTreatments('cancel', all),
    /** Advances the clocks of the machine and of the service. */
    wait(minutes: number): void {
      clock.ahead += minutes * minute;
      serviceAhead += minutes * minute;
    },
    /** Runs an import in a process until this many of its requests or their responses are held. */
    async startProcess(
      held: 'hold' | 'hold_response' | 'delay_held',
      given: ImportOptions = {},
      count = 1,
      route: 'create' | 'list' = 'create',
    ) {
      startedRuns += 1;
      gateway.setTreatments(route, [held]);
      const { child, ended } = startProgram(commandOf(given).args, {
        env: envOf(given.apiKey),
        configDirectory: machine(given.on),
      });
      const early = ended.then(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr)));
      await Promise.race([gateway.held(count), early]);
      gateway.setTreatments(route, ['pass']);
      return {
        kill: async () => {
          child.kill('SIGKILL');
          await early.catch(() => undefined);
        },
      };
    },
    /** Runs an import until its create is held; `end` lets it continue. */
    async startImport(held: 'hold' | 'hold_response', given: ImportOptions = {}, externalOrderId = 'A') {
      gateway.setTreatments('create', [held], externalOrderId);
      const running = runImport(given);
      await Promise.race([gateway.held(1), running]);
      gateway.setTreatments('create', ['pass'], externalOrderId);
      return {
        end: () => {
          gateway.release();
          return running;
        },
      };
    },
    /** The number of idempotency keys under which an order was sent. */
    countKeys: (externalOrderId: string) =>
      new Set(
        gateway.creates.filter((create) => create.externalOrderId === externalOrderId).map(({ key }) => key),
      ).size,
    loseLedger(given: { on?: string } = {}): void {
      rmSync(configDirectory(given), { recursive: true, force: true });
    },
    async cancel(externalOrderId: string, given: { apiKey?: string } = {}): Promise<number> {
      const args = [
        'cancel',
        await side.idOf(externalOrderId),
        '--reason',
        'out of stock',
        '--yes',
        '--json',
      ];
      const { exitCode } = await runCli(args, {
        env: envOf(given.apiKey),
        clock,
        configDirectory: machine(),
      });
      return exitCode;
    },
  };
}

interface Line {
  externalOrderId?: string;
  outcome?: string;
  code?: string;
  message?: string;
  createdByRun?: string;
  run?: string;
}

function linesOf(text: string): (Line & { error?: { code: string } })[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}
