import type { z } from 'zod';
import { CliError } from '../../errors.ts';
import { type Behaviour, behaviourSchema } from './schema.ts';
import { listSettings } from './settings.ts';

/**
 * Completes settings with the defaults.
 * @throws CliError `file_invalid` naming the source, the setting and the allowed values
 */
export function parseBehaviour(settings: unknown, source: string): Behaviour {
  const { data, error } = behaviourSchema.safeParse(settings);
  if (data) return data;
  const problems = error.issues.map((issue) => describe(issue));
  throw new CliError('file_invalid', `${source} is not a valid behaviour: ${problems.join('; ')}.`, {
    hint: 'Every setting and its values: fixtures/behaviours/README.md',
  });
}

/** The sandbox's own choices for what the interface leaves open; without a name. */
export const defaultBehaviour: Behaviour = parseBehaviour({}, 'The default behaviour');

/**
 * Parses the text of a behaviour file, whose default name is the name of the file.
 * @throws CliError `file_invalid`
 */
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

function describe(issue: z.core.$ZodIssue): string {
  if (issue.path[0] === 'faults' && issue.path.length > 3) return `${pathText(issue.path)}: ${issue.message}`;
  const path = issue.path.filter((step) => typeof step === 'string').join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (path === '' ? key : `${path}.${key}`));
    return `${names.join(', ')} is not a setting; ${path === '' ? 'there are' : `${path} has`} ${namesIn(path)}`;
  }
  if (issue.code === 'custom') return `${path} ${issue.message}`;
  const setting = listSettings().find((known) => known.path === path);
  if (setting) return `${path} has a wrong value; allowed: ${setting.allowed}`;
  return `${path === '' ? 'it' : path} is not an object; it has ${namesIn(path)}`;
}

/** Such as `faults.rules[0].do.kind`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
}

function namesIn(group: string): string {
  const prefix = group === '' ? '' : `${group}.`;
  const inside = listSettings().filter(({ path }) => path.startsWith(prefix));
  return [...new Set(inside.map(({ path }) => path.slice(prefix.length).split('.')[0]))].join(', ');
}

/**
 * The file of a packaged behaviour; undefined when the argument is a path.
 * @throws CliError `usage` for an unknown name
 */
export async function findPackaged(
  nameOrPath: string,
  list: () => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(nameOrPath)) return undefined;
  const behaviours = (await list()).filter((file) => file.endsWith('.json'));
  const file = `${nameOrPath}.json`;
  if (behaviours.includes(file)) return file;
  throw new CliError('usage', `There is no behaviour called ${nameOrPath}.`, {
    hint: `Give a file, such as ./${file}, or one of: ${behaviours.map((name) => name.slice(0, -5)).join(', ')}`,
  });
}
