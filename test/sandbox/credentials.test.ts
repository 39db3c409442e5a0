import { describe, expect, it } from 'vitest';
import { orders, start, temporaryFile } from './start.ts';

const given = {
  apiKey: 'sandbox_all.1',
  readOnlyApiKey: 'sandbox_read-2',
  adminToken: 'sandbox_admin_3',
};

describe('given credentials', () => {
  it('are used, and the keys last in the database', async () => {
    const file = temporaryFile();
    const first = await start({ file, ...given });
    expect(first.sandbox).toMatchObject(given);
    expect((await first.get(orders)).status).toBe(200);
    expect((await first.get('/_sandbox/info', { key: given.adminToken })).status).toBe(200);
    await first.sandbox.stop();
    const { sandbox } = await start({ file });
    expect(sandbox).toMatchObject({ apiKey: given.apiKey, readOnlyApiKey: given.readOnlyApiKey });
    expect(sandbox.adminToken).toMatch(/^sandbox_[0-9a-f]{32}$/);
  });

  it('take the place of the keys with their scopes, and of nothing else', async () => {
    const file = temporaryFile();
    const first = await start({ file });
    const { apiKey, readOnlyApiKey } = first.sandbox;
    await first.sandbox.stop();
    const { sandbox, get } = await start({ file, apiKey: given.apiKey });
    expect(sandbox.readOnlyApiKey).toBe(readOnlyApiKey);
    expect((await get(orders, { key: apiKey })).status).toBe(401);
    expect((await get(orders, { key: given.apiKey })).status).toBe(200);
  });

  it.each(['0.0.0.0', '::'])(
    'need a long admin token when other machines reach the sandbox at %s',
    async (host) => {
      const adminToken = (length: number) => `sandbox_${'a'.repeat(length)}`;
      await expect(start({ host, adminToken: adminToken(15) })).rejects.toMatchObject({
        code: 'usage',
        message: 'The admin token is too short for a sandbox that other machines can reach.',
      });
      const { sandbox } = await start({ host, adminToken: adminToken(16) });
      expect(sandbox.adminToken).toBe(adminToken(16));
    },
  );

  it.each(['127.0.0.1', '127.0.0.2', '::1'])('may be short at %s', async (host) => {
    expect((await start({ host, ...given })).sandbox).toMatchObject(given);
  });

  it('may change places', async () => {
    const file = temporaryFile();
    const first = await start({ file, ...given });
    await first.sandbox.stop();
    const swapped = { apiKey: given.readOnlyApiKey, readOnlyApiKey: given.apiKey };
    const { sandbox, store } = await start({ file, ...swapped });
    expect(sandbox).toMatchObject(swapped);
    const scopesOf = (key: string) => store.accounts.findCaller(key)?.scopes;
    expect(scopesOf(swapped.apiKey)).toEqual(['orders:read', 'orders:write']);
    expect(scopesOf(swapped.readOnlyApiKey)).toEqual(['orders:read']);
  });

  it.each(['apiKey', 'readOnlyApiKey', 'adminToken'] as const)(
    'are refused when another client has the %s already',
    async (field) => {
      const file = temporaryFile();
      const first = await start({ file });
      const key = first.addKey();
      const before = first.sandbox.apiKey;
      await expect(start({ file, [field]: key })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/^The .* is the key of another client in this database\.$/),
      });
      expect(first.store.accounts.keyOf(1, 'orders:read orders:write')).toBe(before);
    },
  );

  it.each([
    ['', 'without the prefix'],
    ['live_0123456789', 'without the prefix'],
    ['sandbox_', 'with nothing but the prefix'],
    ['sandbox_a b', 'with a space'],
    ['sandbox_a\r\nX: y', 'with a line break'],
    ['sandbox_a"b', 'with a quotation mark'],
    [`sandbox_${'x'.repeat(121)}`, 'that is too long'],
  ])('are refused, and not shown: %j, %s', async (value) => {
    for (const field of Object.keys(given)) {
      const error = await start({ [field]: value }).catch((thrown) => thrown);
      expect(error).toMatchObject({
        code: 'usage',
        message: expect.stringMatching(/^The .* is not valid\.$/),
      });
      expect(value !== '' && JSON.stringify([error.message, error.details]).includes(value)).toBe(
        value === 'sandbox_',
      );
    }
  });

  it.each([
    { apiKey: 'sandbox_same', readOnlyApiKey: 'sandbox_same' },
    { apiKey: 'sandbox_same', adminToken: 'sandbox_same' },
    { readOnlyApiKey: 'sandbox_same', adminToken: 'sandbox_same' },
  ])('are refused when two are the same: %j', async (same) => {
    await expect(start(same)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(' is the same as another key that was given.'),
    });
  });

  it('may have 128 characters', async () => {
    const apiKey = `sandbox_${'x'.repeat(120)}`;
    expect((await start({ apiKey })).sandbox.apiKey).toBe(apiKey);
  });
});
