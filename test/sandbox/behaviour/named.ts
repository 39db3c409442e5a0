import { readdirSync, readFileSync } from 'node:fs';
import type { Behaviour } from '../../../src/sandbox/behaviour/schema.ts';
import { parseBehaviourFile } from '../../../src/sandbox/inputs.ts';

/** The behaviours in the package. */
export const packagedFolder = new URL('../../../fixtures/behaviours/', import.meta.url);
/** Behaviours for the tests of the client. */
const testFolder = new URL('../../support/behaviours/', import.meta.url);

export type NamedBehaviour = Behaviour & { name: string };

export function packagedBehaviours(): NamedBehaviour[] {
  return behavioursIn(packagedFolder);
}

/** The behaviours of the package and of the tests. */
export function namedBehaviours(): NamedBehaviour[] {
  return [...packagedBehaviours(), ...behavioursIn(testFolder)];
}

function behavioursIn(folder: URL): NamedBehaviour[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const behaviour = parseBehaviourFile(readFileSync(new URL(file, folder), 'utf8'), file);
      return { ...behaviour, name: file.slice(0, -'.json'.length) };
    });
}
