import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { describeIssues } from './issues.ts';
import { type Behaviour, behaviourSchema } from './schema.ts';

/** Adds the defaults. @throws CliError `file_invalid` naming the source, the setting and the allowed values */
export function parseBehaviour(settings: unknown, source: string): Behaviour {
  const { data, error } = behaviourSchema.safeParse(settings);
  if (data) return data;
  throw new CliError('file_invalid', `${source} is not a valid behaviour: ${describeIssues(error)}.`, {
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
