import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { startProgram } from '../../support/program.ts';
import { admin } from '../admin/admin-client.ts';
import { anOrder, orders, start, temporaryFile } from '../start.ts';

const liveKey = 'mo_live_4eC39HqLyjWDarjtT1zdp7dc';
const unknownKey = 'sandbox_0123456789abcdef';

/** The content of all files of a database. */
function bytesOf(file: string): string {
  const folder = dirname(file);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

describe('Authorization', () => {
  it('is in no logged request and in no file, whatever the outcome', async () => {
    const file = temporaryFile();
    const { sandbox, create, get, database } = await start({ file });
    await create(anOrder());
    for (const key of [sandbox.apiKey, liveKey, unknownKey, sandbox.adminToken]) {
      await get(orders, { key });
      await create(anOrder(), { key });
    }
    const ledger = JSON.stringify((await admin(sandbox).get('/ledger')).json);
    const rows = JSON.stringify(database.prepare('SELECT * FROM requests').all());
    for (const secret of [sandbox.apiKey, sandbox.readOnlyApiKey, liveKey, unknownKey, sandbox.adminToken]) {
      expect(rows + ledger).not.toContain(secret);
    }
    const stored = bytesOf(file);
    for (const secret of [liveKey, unknownKey, sandbox.adminToken]) expect(stored).not.toContain(secret);
    // The keys of the sandbox itself are in its files.
    expect(JSON.stringify(database.prepare('SELECT * FROM idempotency_keys').all())).not.toContain(
      sandbox.apiKey,
    );
  });

  it('is in no output of sandbox start', async () => {
    const file = temporaryFile();
    const { child, ended } = startProgram(['sandbox', 'start', '--port', '0', '--db', file, '--json'], {
      stdin: null,
    });
    const started = await new Promise<{ baseUrl: string }>((resolve) => {
      let text = '';
      child.stdout?.on('data', (chunk) => {
        text += String(chunk);
        if (text.trimEnd().endsWith('}')) resolve(JSON.parse(text));
      });
    });
    for (const key of [liveKey, unknownKey]) {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'K' };
      const { statusCode, body } = await request(started.baseUrl + orders, {
        method: 'POST',
        headers,
        body: '{',
      });
      await body.dump();
      expect(statusCode).toBe(401);
    }
    child.kill('SIGINT');
    const { stdout, stderr } = await ended;
    expect(stdout).toContain('"baseUrl"');
    for (const secret of [liveKey, unknownKey]) {
      expect(stdout + stderr).not.toContain(secret);
      expect(bytesOf(file)).not.toContain(secret);
    }
  });
});
