import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type AskedQuestion, runCli, temporaryDirectory } from '../../support/cli.ts';
import { codeIn, differences, plannedOrders } from './known-orders.ts';
import type { KnownOrder } from './shop-person.ts';

/** What came of a file that nobody thought about: what is wrong, and `right` or why it was not imported. */
export interface QuickResult {
  wrong: string[];
  verdict: string;
}

/** More than any file asks. */
const maxQuestions = 60;
const dryRun = ['--sandbox', '--dry-run', '--format', 'ndjson'];

/** The draft with the first choice of each open question; a question without one stops. */
export async function byFirstChoices(path: string, orders: readonly KnownOrder[]): Promise<QuickResult> {
  const { stdout, stderr, exitCode } = await runCli(['import', path, '--write-map', '-']);
  if (exitCode !== 0) return { wrong: [], verdict: `stopped: ${codeIn(stderr)}` };
  const { mapping, open } = answered(stdout);
  if (open.length > 0) return { wrong: [], verdict: 'stopped: open' };
  const map = join(temporaryDirectory(), 'map.json');
  writeFileSync(map, JSON.stringify(mapping));
  const run = await runCli(['import', path, '--map', map, ...dryRun]);
  return resultOf(run, orders);
}

/** A draft with first choices, and the questions that have none. */
export function answered(draft: string): { mapping: unknown; open: string[] } {
  const open: string[] = [];
  const mapping = JSON.parse(draft, (_, value) => {
    if (typeof value !== 'string' || !/^\?(?: |$)/.test(value)) return value;
    const [first = ''] = value.slice(2).split(' | ');
    if (first === '' || first === '(choose)') open.push(value);
    return first;
  });
  return { mapping, open };
}

/** Presses Enter; leaves where that takes nothing, and before a question without end. */
export function press(asked: number): (question: AskedQuestion) => Answer {
  return ({ choices, preset }) => {
    if (preset === null || asked > maxQuestions) return { leave: true };
    if (choices.some(({ isTicked }) => isTicked !== undefined)) return 'ticked';
    return preset ?? choices[0]?.value ?? '';
  };
}

/** Enter at each question of a terminal. */
export async function byEnter(path: string, orders: readonly KnownOrder[]): Promise<QuickResult> {
  const run = await runCli(['import', path, ...dryRun], {
    answers: Array.from({ length: maxQuestions + 1 }, (_, place) => press(place + 1)),
  });
  if (run.asked.length > maxQuestions) return { wrong: ['it asks without end'], verdict: 'stopped: asks' };
  return resultOf(run, orders);
}

function resultOf(
  { stdout, stderr }: { stdout: string; stderr: string },
  orders: readonly KnownOrder[],
): QuickResult {
  const planned = plannedOrders(stdout);
  if (planned === undefined) {
    const code = codeIn(stderr);
    return { wrong: code === 'unexpected_failure' ? [stderr] : [], verdict: `stopped: ${code}` };
  }
  const known = new Set(orders.map(({ row }) => row));
  const invented = [...planned.values()]
    .filter(({ row, outcome }) => !known.has(row) && outcome !== 'invalid' && outcome !== 'left_out')
    .map(({ row }) => `row ${row}: it is no order`);
  const wrong = [...orders.flatMap((order) => differences(order, planned.get(order.row))), ...invented];
  const invalid = [...planned.values()].filter(({ outcome }) => outcome === 'invalid').length;
  return { wrong, verdict: invalid === 0 ? 'right' : `right, ${invalid} to fix` };
}
