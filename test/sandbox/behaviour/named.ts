import { readdirSync, readFileSync } from 'node:fs';
import { parseBehaviourFile } from '../../../src/sandbox/behaviour/parse.ts';
import type { Behaviour } from '../../../src/sandbox/behaviour/schema.ts';

export const behaviourFolder = new URL('../../../fixtures/behaviours/', import.meta.url);

/** The behaviours that come with the package, by name. */
export function namedBehaviours(): (Behaviour & { name: string })[] {
  return readdirSync(behaviourFolder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const behaviour = parseBehaviourFile(readFileSync(new URL(file, behaviourFolder), 'utf8'), file);
      return { ...behaviour, name: file.slice(0, -'.json'.length) };
    });
}
