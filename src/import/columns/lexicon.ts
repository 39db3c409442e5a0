import { normaliseWords } from '../../words/phrases.ts';
import lexicon from './roles.json' with { type: 'json' };
import type { Role } from './roles.ts';

/** In many languages. Case, accents and punctuation do not matter; `|` separates names. */
interface RoleNames {
  /** Usual ones in English and Mongolian, and those of Shopify and WooCommerce: they fill the field without a question. */
  aliases?: readonly string[];
  /** Those that can mean nothing else. `@name` stands for a list of that name, or the names of a role. */
  names?: readonly string[];
  /** Those that other columns have as well. */
  weak?: readonly string[];
  /** Words beside a name that change nothing. */
  besides?: readonly string[];
  /** Names of columns that look like the role and hold something near it. */
  rivals?: readonly string[];
  /** Words beside a name that turn it into another column. */
  others?: readonly string[];
  /** Words of the header of an address that name this part of it. */
  parts?: readonly string[];
  /** Words with which the column never has the role, whatever its values look like. */
  never?: readonly string[];
}

export const namesOf: Readonly<Partial<Record<Role, RoleNames>>> = lexicon.roles;

const lists: Readonly<Record<string, readonly string[]>> = lexicon.lists;

/** The names and words of a list. */
export function listed(list: keyof typeof lexicon.lists): string[] {
  return namesIn(lists[list] ?? []);
}

export function namesIn(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split('|'))
    .flatMap((name) => (name.startsWith('@') ? namesAt(name.slice(1)) : normaliseWords(name)))
    .filter((name) => name !== '');
}

function namesAt(name: string): string[] {
  return namesIn(lists[name] ?? namesOf[name as Role]?.names ?? []);
}
