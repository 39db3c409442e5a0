import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { CliError } from '../../errors.ts';
import { allowedBy, describeIssues, type Node } from './describe-issue.ts';
import { type Behaviour, behaviourSchema } from './schema.ts';

/** Settings of earlier versions; what only tested clients is no longer part of the sandbox. */
const goneSettings = [
  ...['customers', 'customers.phone', 'customers.externalId'],
  ...['orders.states', 'orders.cancelled', 'orders.cancellable'],
  ...['deliveries.createdAtOnce', 'deliveries.states', 'deliveries.cancelled'],
  ...['deliveries.whenOrderCancelled', 'limits.bodyBytes', 'limits.textLength', 'limits.pastDates'],
  ...['answers.createBody', 'answers.cancelBody', 'answers.amounts', 'answers.externalOrderId'],
  ...['answers.absentFields', 'paging.beyondLargest', 'paging.order', 'paging.ignoredParameters'],
  ...['keys.longest', 'keys.underWay', 'keys.sameBody', 'keys.replayHeader'],
  ...['faults.limits.status', 'faults.limits.retryAfter', 'faults.limits.changes'],
  ...['faults.latency', 'faults.connections'],
];

/** Adds the defaults. @throws CliError `file_invalid` naming the source, the setting and the allowed values */
export function parseBehaviour(settings: unknown, source: string): Behaviour {
  const { data, error } = behaviourSchema.safeParse(settings);
  if (data) return data;
  const unknown = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
  const gone = unknown.filter((name) => goneSettings.includes(name));
  const problem =
    gone.length > 0
      ? `${gone.join(', ')}: gone, the sandbox has no such setting any more`
      : describeIssues(behaviourSchema, settings, error.issues);
  throw new CliError('file_invalid', `${source} is not a valid behaviour: ${problem}.`, {
    hint: 'Every setting and its values: fixtures/behaviours/README.md',
  });
}

export const defaultBehaviour: Behaviour = parseBehaviour({}, 'The default behaviour');

export function nameOf(behaviour: Behaviour): string {
  return behaviour.name ?? (isDeepStrictEqual(behaviour, defaultBehaviour) ? 'default' : 'custom');
}

/** The name defaults to that of the file. @throws CliError `file_invalid` */
export function parseBehaviourFile(text: string, path: string): Behaviour {
  const settings = readJson(text, path);
  const { name = fileNameOf(path), ...others } = parseBehaviour(settings, path);
  return { name, ...others };
}

function fileNameOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.json$/i, '');
}

function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = error instanceof SyntaxError ? error.message : String(error);
    throw new CliError('file_invalid', `${path} is not JSON: ${detail}.`, {
      hint: 'A behaviour is a JSON object, such as {"keys": {"repeated": "ignored"}}.',
    });
  }
}

/** Undefined for a path. @throws CliError `usage` for an unknown name */
export function findPackaged(nameOrPath: string, list: () => readonly string[]): string | undefined {
  if (!/^[\w-]+$/.test(nameOrPath)) return undefined;
  const behaviours = list().filter((file) => file.endsWith('.json'));
  const file = `${nameOrPath}.json`;
  if (behaviours.includes(file)) return file;
  throw new CliError('usage', `There is no behaviour called ${nameOrPath}.`, {
    hint: `Give a file, such as ./${file}, or one of: ${behaviours.map((name) => name.slice(0, -5)).join(', ')}`,
  });
}

export interface Setting {
  /** Such as `keys.repeated`. */
  path: string;
  description: string;
  /** Undefined for name and description. */
  default: unknown;
  /** For people. */
  allowed: string;
}

export function listSettings(): Setting[] {
  return settingsOf(z.toJSONSchema(behaviourSchema, { io: 'input' }) as Node, '');
}

function settingsOf({ properties = {} }: Node, prefix: string): Setting[] {
  return Object.entries(properties).flatMap(([name, node]) => {
    const { title, description = '', default: preset } = node;
    const path = prefix + name;
    if (node.properties && title === undefined) return settingsOf(node, `${path}.`);
    return [{ path, description, default: preset, allowed: allowedBy(node) }];
  });
}
