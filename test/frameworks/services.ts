import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from 'undici';
import { debianVersion } from '../support/debian.ts';
import { npmVersion } from './install.ts';
import { freePort, startProcess } from './processes.ts';

/** A service on one framework, as `services/NAME/service.json` describes it. */
export interface ServiceDescription {
  name: string;
  folder: string;
  title: string;
  /** Command lines, run in the folder. `{build}` stands for a temporary directory that both share. */
  start: string[];
  build?: string[][];
  /** What the framework comes from: a package of npm, or packages of Debian of which the first is the framework. */
  npm?: string;
  debian?: string[];
  /** A part of the framework's own words for each field that the scenario gets wrong. */
  words: Record<string, string>;
}

/** The orders as the service has them, from its own code. */
export interface Store {
  orders: StoredOrder[];
  /** Creates that reached the handler. */
  creates: number;
}

export interface StoredOrder {
  id: string;
  externalOrderId: string;
  status: string;
  body: {
    customer: { phone: string };
    items: { sku?: string }[];
    collectionMode: string;
    collectionAmount?: string;
    requestedDeliveryDate?: string;
  };
}

export type RunningService = Awaited<ReturnType<typeof startService>>;

export const servicesFolder = 'test/frameworks/services';
const maxStartMilliseconds = 30_000;

/** All services, those on Node.js first. */
export function readServices(): ServiceDescription[] {
  const names = readdirSync(servicesFolder).filter((name) => name !== 'node_modules');
  const services = names.flatMap((name) => {
    const folder = join(servicesFolder, name);
    const file = join(folder, 'service.json');
    return existsSync(file) ? [{ name, folder, ...JSON.parse(readFileSync(file, 'utf8')) }] : [];
  }) as ServiceDescription[];
  const rank = ({ npm, title }: ServiceDescription) => `${npm === undefined ? 1 : 0}${title}`;
  return services.sort((left, right) => (rank(left) < rank(right) ? -1 : 1));
}

/** The version of the framework, undefined where it is not installed. */
export function versionOf({ npm, debian = [] }: ServiceDescription): string | undefined {
  if (npm !== undefined) return npmVersion(npm);
  const versions = debian.map(debianVersion);
  return versions.includes(undefined) ? undefined : versions[0];
}

export async function buildService(service: ServiceDescription, buildFolder: string): Promise<void> {
  mkdirSync(buildFolder, { recursive: true });
  for (const line of service.build ?? []) {
    const [command = '', ...args] = line.map((part) => part.replaceAll('{build}', buildFolder));
    await promisify(execFile)(command, args, { cwd: service.folder });
  }
}

/** Starts a service with an empty store as a process of its own. */
export async function startService(
  service: ServiceDescription,
  buildFolder: string,
  folder: string,
  apiKey: string,
) {
  const port = await freePort();
  const child = startProcess(
    service.start.map((part) => part.replaceAll('{build}', buildFolder)),
    {
      cwd: service.folder,
      env: { ...process.env, PORT: String(port), API_KEY: apiKey, STORE: join(folder, 'store.db') },
    },
  );
  const store = async () => {
    const response = await request(`http://127.0.0.1:${port}/_store`);
    if (response.statusCode !== 200) throw new Error(`/_store: ${response.statusCode}`);
    return (await response.body.json()) as Store;
  };
  const started = performance.now();
  while (
    !(await store().then(
      () => true,
      () => false,
    ))
  ) {
    if (child.hasEnded()) throw new Error(`${service.title} ended:\n${child.output()}`);
    if (performance.now() - started > maxStartMilliseconds) {
      await child.stop();
      throw new Error(`${service.title} did not start:\n${child.output()}`);
    }
    await delay(50);
  }
  return { port, store, output: child.output, stop: child.stop };
}
