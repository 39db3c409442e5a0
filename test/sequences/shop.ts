import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { rowsOf } from '../commands/import/setup.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../support/cli.ts';
import { startProgram } from '../support/program.ts';
import { startService } from '../support/service.ts';
import { createOrderFile } from './files.ts';
import { startGateway, type Treatment } from './gateway.ts';
import { broken } from './sequence.ts';
import { createServiceSide } from './service-side.ts';
import { type Became, tellAs } from './table.ts';

const minute = 60_000;

export interface ImportOptions extends Pick<CliOptions, 'interruption'> {
  flags?: string[];
  /** A machine other than the first. */
  on?: string;
  apiKey?: string;
  file?: string;
}

export interface Ended {
  exitCode: number;
  errorCode: string;
  became: Became[];
  /** How many creates it sent, and how many requests in total. */
  creates: number;
  requests: number;
  rejects: string;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A service behind a gateway, machines that import one file into it, and a clock. The file has one order, A. */
export async function openShop(options: Partial<SandboxOptions> = {}) {
  const clock = { ahead: 0 };
  let serviceAhead = 0;
  const { sandbox } = await startService({ now: () => Date.now() + serviceAhead, ...options });
  const gateway = await startGateway(sandbox.baseUrl);
  onTestFinished(() => gateway.stop());
  const side = createServiceSide(sandbox);
  const file = createOrderFile(temporaryDirectory());
  file.add('A');
  const machines = new Map<string, string>();
  const machine = (name = 'first') => {
    const configDirectory = machines.get(name) ?? join(temporaryDirectory(), 'configuration');
    machines.set(name, configDirectory);
    return configDirectory;
  };
  /** The number of each run, by its ID. */
  const runs = new Map<string, number>();
  let begun = 0;

  const envOf = (apiKey = sandbox.apiKey) => ({
    MERCHANT_ORDERS_BASE_URL: gateway.baseUrl,
    MERCHANT_ORDERS_API_KEY: apiKey,
  });
  const commandOf = ({ flags = [], file: path = file.path }: ImportOptions) => {
    const beside = temporaryDirectory();
    const written = ['--results', join(beside, 'results.csv'), '--rejects', join(beside, 'rejects.csv')];
    const pace = flags.includes('--concurrency') ? [] : ['--concurrency', '1'];
    return {
      results: join(beside, 'results.csv'),
      rejects: join(beside, 'rejects.csv'),
      args: ['import', path, '--yes', '--format', 'ndjson', ...pace, ...written, ...flags],
    };
  };
  const byWhom = (run: string) => {
    const number = runs.get(run);
    return run === '' ? 'no run' : number === undefined ? 'the killed run' : `run ${number}`;
  };

  async function runImport(given: ImportOptions = {}): Promise<Ended> {
    const number = ++begun;
    const { args, results, rejects } = commandOf(given);
    const before = { creates: gateway.creates.length, requests: gateway.seen.requests };
    const env = envOf(given.apiKey);
    const { interruption } = given;
    const { stdout, stderr, exitCode } = await runCli(args, {
      ...{ env, clock, configDirectory: machine(given.on) },
      ...(interruption === undefined ? {} : { interruption }),
    });
    expect(stderr).not.toContain('unexpected_failure');
    const told = linesOf(stdout);
    const { run } = told.find((line) => line.run !== undefined) ?? {};
    if (run !== undefined) runs.set(run, number);
    const became = existsSync(results)
      ? rowsOf(results).map((row) => ({
          ...{ ownId: row.external_order_id ?? '', outcome: row.outcome ?? '' },
          ...{ code: row.code ?? '', message: row.message ?? '', by: byWhom(row.created_by_run ?? '') },
        }))
      : told.filter(({ outcome }) => outcome !== undefined).map(becameOf);
    return {
      ...{ exitCode, became, rejects },
      errorCode: linesOf(stderr).find(({ error }) => error !== undefined)?.error?.code ?? '',
      creates: gateway.creates.length - before.creates,
      requests: gateway.seen.requests - before.requests,
    };
  }

  const becameOf = ({ externalOrderId, outcome, code = '', message = '', createdByRun = '' }: Line) => {
    return { ownId: externalOrderId ?? '', outcome: outcome ?? '', code, message, by: byWhom(createdByRun) };
  };

  const configured = (given: { on?: string } = {}) => machine(given.on);
  return {
    ...side,
    ...{ sandbox, gateway, file, clock, configured },
    import: runImport,
    /** The same, compared with an expectation in the words of the table. */
    async ends(outcomes: string, exitCode: number, given: ImportOptions = {}): Promise<Ended> {
      const ended = await runImport(given);
      expect([tellAs(outcomes, ended.became), ended.exitCode]).toEqual([outcomes, exitCode]);
      return ended;
    },
    creates: (...all: Treatment[]) => gateway.treat('create', all),
    createsOf: (ownId: string, ...all: Treatment[]) => gateway.treat('create', all, ownId),
    lists: (...all: Treatment[]) => gateway.treat('list', all),
    /** Responses are lost and, from the first create on, lookups too. */
    loseAll(): void {
      gateway.treat('create', ['lose']);
      gateway.onCreate(() => gateway.treat('list', [broken]));
    },
    loseNothing(): void {
      gateway.onCreate(() => undefined);
      for (const route of ['create', 'list'] as const) gateway.treat(route, ['pass']);
    },
    cancels: (...all: Treatment[]) => gateway.treat('cancel', all),
    /** Minutes pass, also at the service. */
    wait(minutes: number): void {
      clock.ahead += minutes * minute;
      serviceAhead += minutes * minute;
    },
    /** A run in a process of its own, until this many of its creates, or their responses, are held at the gateway. */
    async startProcess(held: 'hold' | 'hold_answer', given: ImportOptions = {}, count = 1) {
      begun += 1;
      gateway.treat('create', [held]);
      const { child, ended } = startProgram(commandOf(given).args, {
        ...{ env: envOf(given.apiKey), configDirectory: machine(given.on) },
      });
      const early = ended.then(({ stdout, stderr }) => Promise.reject(new Error(stdout + stderr)));
      await Promise.race([gateway.held(count), early]);
      gateway.treat('create', ['pass']);
      return {
        kill: async () => {
          child.kill('SIGKILL');
          await early.catch(() => undefined);
        },
      };
    },
    /** Runs an import until its create is held at the gateway; `end` lets it continue. */
    async begin(held: 'hold' | 'hold_answer', given: ImportOptions = {}, ownId = 'A') {
      gateway.treat('create', [held], ownId);
      const running = runImport(given);
      await Promise.race([gateway.held(1), running]);
      gateway.treat('create', ['pass'], ownId);
      return {
        end: () => {
          gateway.release();
          return running;
        },
      };
    },
    /** The idempotency keys under which an order was sent, each once. */
    keysOf: (ownId: string) =>
      new Set(gateway.creates.filter((create) => create.ownId === ownId).map(({ key }) => key)).size,
    loseLedger(given: { on?: string } = {}): void {
      rmSync(configured(given), { recursive: true, force: true });
    },
    async cancel(ownId: string, given: { apiKey?: string } = {}): Promise<number> {
      const args = ['cancel', await side.idOf(ownId), '--reason', 'out of stock', '--yes', '--json'];
      const { exitCode } = await runCli(args, {
        ...{ env: envOf(given.apiKey), clock, configDirectory: machine() },
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
