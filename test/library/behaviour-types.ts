import type { Behaviour } from '../../src/library/types.ts';
import type { BehaviourSettings } from '../../src/sandbox/behaviour/schema.ts';

/** Every setting, so that one that is missing on either side is an error. */
type Whole<T> = T extends readonly (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]-?: Whole<T[Key]> }
    : T;

/** The names of errors are in the documentation alone. */
type Published = Whole<Omit<Behaviour, 'refusals'>>;
type Checked = Whole<Omit<BehaviourSettings, 'refusals'>>;

/** That tsc accepts both is the test: the published types are those of the schema. */
export const areSame = (published: Published, checked: Checked): [Checked, Published] => [published, checked];
