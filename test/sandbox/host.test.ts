import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { orders, start } from './start.ts';

const other = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('host', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1'],
    ['0.0.0.0', 'http://127.0.0.1'],
    ['::1', 'http://[::1]'],
    ['::', 'http://[::1]'],
    ['127.0.0.2', 'http://127.0.0.2'],
    ...(other ? [[other, `http://${other}`]] : []),
  ] as [string, string][])('serves at %s, and the base URL %s leads there', async (host, address) => {
    const { sandbox, get } = await start({ host });
    expect(sandbox.baseUrl.replace(/:\d+$/, '')).toBe(address);
    expect((await get(orders)).status).toBe(200);
  });

  it.each(['localhost', 'example.com', '203.0.113.9', '2001:db8::1', 'fe80::1%lo', ''])(
    'is refused when it is not an IP address of this machine: %j',
    async (host) => {
      await expect(start({ host })).rejects.toMatchObject({
        code: 'usage',
        message: `"${host}" is not an IP address of this machine.`,
      });
    },
  );
});

describe('allowed host names', () => {
  it('are accepted in any case and with any port, in the admin API too', async () => {
    const { get, sandbox } = await start({ allowHosts: ['Sandbox.test', 'fd00::1', '192.0.2.7'] });
    for (const host of ['sandbox.test', 'SANDBOX.TEST:5010', '[fd00::1]:80', '192.0.2.7']) {
      expect([host, (await get(orders, { headers: { host } })).status]).toEqual([host, 200]);
      const info = await get('/_sandbox/info', { key: sandbox.adminToken, headers: { host } });
      expect([host, info.status]).toEqual([host, 200]);
    }
  });

  it('are the only others that are accepted', async () => {
    const { get } = await start({ allowHosts: ['sandbox.test'], host: '0.0.0.0' });
    for (const host of ['example.com', 'a.sandbox.test', 'sandbox.test.example.com', '0.0.0.0', 'sandbox']) {
      expect([host, (await get(orders, { headers: { host } })).status]).toEqual([host, 403]);
    }
  });

  it.each([
    'http://sandbox',
    'sandbox:4010',
    'sandbox:80',
    'sandbox:',
    'a b',
    'a/b',
    '*',
    '',
    'x'.repeat(254),
  ])('are refused when they are none: %j', async (name) => {
    await expect(start({ allowHosts: [name] })).rejects.toMatchObject({
      code: 'usage',
      message: `"${name}" is not the name of a host.`,
    });
  });
});
