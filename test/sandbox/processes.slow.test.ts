import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runScript } from '../support/program.ts';
import { anOrder, orders, send, start, temporaryFile } from './start.ts';

async function startProcess(file: string) {
  const child = spawn(process.execPath, [runScript, 'test/sandbox/serve-file.ts', file]);
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const [line] = await once(child.stdout, 'data');
  return { child, exited, ...(JSON.parse(String(line)) as { baseUrl: string; apiKey: string }) };
}

type Process = Awaited<ReturnType<typeof startProcess>>;

function create({ baseUrl, apiKey: key }: Process, externalOrderId: string) {
  const headers = { 'idempotency-key': externalOrderId };
  return send(baseUrl, 'POST', orders, { key, headers, body: anOrder({ externalOrderId }) });
}

describe('processes on one file', () => {
  it('start together, share keys and data, and number their orders without repeats or gaps', async () => {
    const file = temporaryFile();
    const processes = await Promise.all([startProcess(file), startProcess(file), startProcess(file)]);
    expect(new Set(processes.map(({ apiKey }) => apiKey)).size).toBe(1);
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, place) => create(processes[place % 3] as Process, `${place}`)),
    );
    expect(responses.map(({ json }) => json.orderNumber.slice(-6)).sort()).toEqual(
      responses.map((_, place) => String(place + 1).padStart(6, '0')),
    );
  });

  it('commit an order only once when it is sent to all of them', async () => {
    const file = temporaryFile();
    const processes = await Promise.all([startProcess(file), startProcess(file)]);
    for (let place = 0; place < 20; place += 1) {
      const body = anOrder({ externalOrderId: `${place}` });
      const responses = await Promise.all(
        processes.map(({ baseUrl, apiKey: key }) =>
          send(baseUrl, 'POST', orders, { key, headers: { 'idempotency-key': `${place}` }, body }),
        ),
      );
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      expect(responses.map(({ headers }) => headers['idempotent-replayed'] ?? 'false').sort()).toEqual([
        'false',
        'true',
      ]);
    }
  });

  it('lose no created order when they are killed', async () => {
    const file = temporaryFile();
    const killed = await startProcess(file);
    const created = await Promise.all(['A', 'B', 'C'].map((id) => create(killed, id)));
    killed.child.kill('SIGKILL');
    await killed.exited;
    const { get } = await start({ file });
    for (const { json } of created) expect((await get(`${orders}/${json.id}`)).json).toEqual(json);
  });

  it('exit when stopped', async () => {
    const { child, exited } = await startProcess(temporaryFile());
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
  });
});
