import { advice, flag, type Text } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';
import { allScopes, keyPrefix, newKey, readScopes, seededClientId } from './seed.ts';
import type { Store } from './store.ts';

/** Those that are not given are generated. */
export interface GivenCredentials {
  apiKey?: string | undefined;
  readOnlyApiKey?: string | undefined;
  adminToken?: string | undefined;
}

interface Keys {
  apiKey: string;
  /** Of the same merchant and client, without `orders:write`. */
  readOnlyApiKey: string;
}

const maxLength = 128;
const minSecret = 16;
const form = new RegExp(`^${keyPrefix}[A-Za-z0-9_.~-]+$`);
const fields = ['apiKey', 'readOnlyApiKey', 'adminToken'] as const;
const names = { apiKey: 'API key', readOnlyApiKey: 'read-only key', adminToken: 'admin token' };

/**
 * Messages never show a value, which may be a key of the live service. `isOpen`: other machines can reach the sandbox, so
 * the admin token must be hard to guess. @throws CliError `usage`
 */
export function checkCredentials(given: GivenCredentials, { isOpen }: { isOpen: boolean }): void {
  const values = new Set<string>();
  for (const field of fields) {
    const value = given[field];
    if (value === undefined) continue;
    if (!form.test(value) || value.length > maxLength) {
      throw refused(
        `The ${names[field]} is not valid.`,
        `Write ${keyPrefix} followed by letters, digits, or any of _ . ~ -, at most ${maxLength} characters in all.`,
      );
    }
    if (values.has(value)) {
      throw refused(
        `The ${names[field]} is the same as another key that was given.`,
        'The API key, the read-only key and the admin token must differ.',
      );
    }
    values.add(value);
  }
  if (isOpen && given.adminToken !== undefined && given.adminToken.length < keyPrefix.length + minSecret) {
    throw refused(
      'The admin token is too short for a sandbox that other machines can reach.',
      advice`Write at least ${minSecret} characters after ${keyPrefix}, or leave out ${flag('--host')}.`,
    );
  }
}

/** Given keys replace stored ones with the same scopes; missing ones are created. Inside a transaction. @throws CliError `usage` */
export function storeKeys({ accounts }: Store, given: GivenCredentials, randomUuid: () => string): Keys {
  for (const field of fields) {
    const owner = accounts.findCaller(given[field] ?? '');
    if (owner === undefined || (owner.clientId === seededClientId && field !== 'adminToken')) continue;
    throw refused(
      `The ${names[field]} is the key of another client in this database.`,
      advice`Give another one, or another database with ${flag('--db')}.`,
    );
  }
  // Both are removed first, because the two keys may have been swapped.
  const replaced = [
    { key: given.apiKey, scopes: allScopes },
    { key: given.readOnlyApiKey, scopes: readScopes },
  ].filter(({ key }) => key !== undefined);
  for (const { key = '', scopes } of replaced) {
    const stored = accounts.keyOf(seededClientId, scopes);
    if (stored === key) continue;
    if (stored !== undefined) accounts.removeKey(stored);
    accounts.removeKey(key);
  }
  const keep = (given: string | undefined, scopes: string): string => {
    const key = given ?? accounts.keyOf(seededClientId, scopes) ?? newKey(randomUuid);
    if (accounts.findCaller(key) === undefined) accounts.addKey(seededClientId, scopes, key);
    return key;
  };
  return { apiKey: keep(given.apiKey, allScopes), readOnlyApiKey: keep(given.readOnlyApiKey, readScopes) };
}

function refused(sentence: string, hint: Text): CliError {
  return new CliError('usage', sentence, { hint });
}
