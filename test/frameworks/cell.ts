import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Cell, createChecks, type ImportFigures } from './checks.ts';
import { type GatewayName, startGateway } from './gateways.ts';
import {
  checkRejectedRows,
  type FaultyWay,
  importThroughOutage,
  importUnderFaults,
  startFaultyWay,
} from './import-scenario.ts';
import { checkLists, checkSingleOrders, type Scene } from './scenario.ts';
import { type ServiceDescription, startService } from './services.ts';

export interface CellOptions {
  service: ServiceDescription;
  buildFolder: string;
  gateway: GatewayName;
  /** Empty; others may enter it. */
  folder: string;
  /** The orders of an import. */
  count: number;
  seed: string;
}

/** `ways`: those with faults, the first in front of everything, the last directly in front of the service. */
type Test = (scene: Scene, ways: [FaultyWay, ...FaultyWay[]], random: () => number) => Promise<ImportFigures>;

const apiKey = 'frameworks_key_for_tests_1234';

/** Single orders, imports with rejected orders and under faults, and lists. */
export function testEverything(options: CellOptions): Promise<Cell> {
  return testCell('everything', options, async (scene, ways, random) => {
    await checkSingleOrders(scene);
    await checkRejectedRows(scene);
    const imports = await importUnderFaults(scene, ways, options.count, random);
    await checkLists(scene);
    return imports;
  });
}

/** An import while the service is away for a time. */
export function testOutage(options: CellOptions): Promise<Cell> {
  return testCell('outage', options, (scene, ways) =>
    importThroughOutage(scene, ways.at(-1) ?? ways[0], options.count),
  );
}

/** The program → a way with faults → the gateway, if there is one → another way with faults → the service. */
async function testCell(kind: string, options: CellOptions, test: Test): Promise<Cell> {
  const { service, gateway, buildFolder, seed } = options;
  const name = `${service.name} ${gateway} ${kind}`;
  const folder = join(options.folder, name.replaceAll(' ', '-'));
  mkdirSync(folder);
  chmodSync(folder, 0o711);
  const random = seededRandom(`${seed} ${name}`);
  const { cell, check } = createChecks();
  const closing: (() => unknown)[] = [];
  const started = performance.now();
  try {
    const running = await startService(service, buildFolder, folder, apiKey);
    closing.unshift(running.stop);
    const back = await startFaultyWay(running.port, random, gateway === 'direct' ? 2 : 0);
    closing.unshift(back.close);
    const ways: [FaultyWay, ...FaultyWay[]] = [back];
    if (gateway !== 'direct') {
      const inFront = await startGateway(gateway, back.port, join(folder, 'gateway'));
      closing.unshift(inFront.stop);
      const front = await startFaultyWay(inFront.port, random, 2);
      closing.unshift(front.close);
      ways.unshift(front);
    }
    const scene: Scene = {
      service,
      apiKey,
      check,
      store: running.store,
      folder,
      baseUrl: ways[0].baseUrl,
    };
    cell.imports = await test(scene, ways, random);
    check('the service still answers', (await running.store()).creates > 0, running.output());
  } catch (error) {
    check('the cell ends', false, (error as Error).stack);
  } finally {
    for (const close of closing) await close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const { runs, faults, orders } = cell.imports;
  const outcome = cell.failures.length === 0 ? 'right' : `WRONG: ${cell.failures.length}`;
  console.log(
    `${name}: ${outcome}, ${cell.checks} checks, ${orders} orders in ${runs} runs, ${faults} faults, ${seconds} s`,
  );
  for (const failure of cell.failures) console.log(`  ${failure.replaceAll('\n', '\n  ')}`);
  return cell;
}

/** Numbers from 0 to 1 that depend on the text alone (mulberry32). */
function seededRandom(text: string): () => number {
  let state = [...text].reduce(
    (hash, character) => Math.imul(hash ^ character.charCodeAt(0), 16777619),
    2166136261,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
