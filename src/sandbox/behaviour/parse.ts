import { isDeepStrictEqual } from 'node:util';
import { CliError } from '../../errors.ts';
import { describeIssues } from './issues.ts';
import { type Behaviour, behaviourSchema } from './schema.ts';

/** Adds the defaults. @throws CliError `file_invalid` naming the source and the setting */
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

/** @throws CliError `file_invalid` */
export function readJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new CliError('file_invalid', `${source} is not JSON: ${(error as Error).message}.`);
  }
}
