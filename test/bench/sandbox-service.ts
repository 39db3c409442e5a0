import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openSandboxDatabase } from '../sandbox/database.ts';
import { startWithoutDatabase } from './without-database.ts';

/** Serves a sandbox on this file, or its create route without a database. Prints the address; ends with its standard input. */
const [, , file = ''] = process.argv;
const { baseUrl } =
  file === 'nothing'
    ? await startWithoutDatabase()
    : await startSandbox({
        database: await openSandboxDatabase(file),
        apiKey: 'sandbox_bench',
        catalogue: [{ sku: 'TEA-001', active: true }],
        now: Date.now,
        randomUuid: randomUUID,
      });
process.stdout.write(`${baseUrl}\n`);
process.stdin.resume().on('end', () => process.exit());
