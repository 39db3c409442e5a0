import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openSandboxDatabase } from './database.ts';

/** Serves a sandbox with the database file of the last argument until standard input ends. */
const database = await openSandboxDatabase(process.argv.at(-1) ?? '');
const sandbox = await startSandbox({ database, anySku: true, now: Date.now, randomUuid: randomUUID });
process.stdout.write(JSON.stringify({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey }));
process.stdin.resume().once('end', () => void sandbox.stop());
