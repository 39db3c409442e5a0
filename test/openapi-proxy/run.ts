/**
 * npm run openapi-proxy: sends the requests of a Postman collection to the sandbox with Newman, through a proxy that
 * compares requests and responses with openapi.json (Prism). Both come from npm, into a temporary directory. Exits with
 * 1 for a violation.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openSandboxDatabase } from '../sandbox/database.ts';
import { products, send } from '../sandbox/start.ts';
import { postmanCollection } from './collection.ts';

const peers = ['@stoplight/prism-cli@5.14.2', 'newman@6.2.2'];
const folder = mkdtempSync(join(tmpdir(), 'openapi-proxy-'));
const sandbox = await startSandbox({
  database: await openSandboxDatabase(':memory:'),
  catalogue: products,
  now: Date.now,
  randomUuid: randomUUID,
});
let proxy: ChildProcess | undefined;
try {
  const install = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...peers];
  const { status } = spawnSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm could not install ${peers.join(' and ')}`);
  const description = join(folder, 'openapi.json');
  writeFileSync(description, (await send(sandbox.baseUrl, 'GET', '/openapi.json')).text);
  const port = await freePort();
  proxy = spawn(
    join(folder, 'node_modules/.bin/prism'),
    ['proxy', description, sandbox.baseUrl, '--port', `${port}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await untilListening(proxy);
  const collection = join(folder, 'collection.json');
  writeFileSync(collection, JSON.stringify(postmanCollection));
  const variables = ['--env-var', `proxy=http://127.0.0.1:${port}`, '--env-var', `key=${sandbox.apiKey}`];
  const newman = spawn(join(folder, 'node_modules/.bin/newman'), ['run', collection, ...variables], {
    stdio: 'inherit',
  });
  const [code] = await once(newman, 'exit');
  process.exitCode = code;
} finally {
  proxy?.kill();
  await sandbox.stop();
  rmSync(folder, { recursive: true });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

function untilListening(proxy: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    proxy.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('listening')) resolve();
    });
    proxy.once('exit', () => reject(new Error('Prism has ended')));
  });
}
