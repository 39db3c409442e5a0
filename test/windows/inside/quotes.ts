import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Job, readJob, writeResult } from './program.ts';

export interface QuotesJob extends Job {
  /** Command lines that begin with merchant-orders. */
  lines: string[];
}

/** The arguments that cmd.exe gives to a program for each line, by a script of cmd as npm makes one. */
const job = readJob<QuotesJob>();
writeFileSync(
  join(job.folder, 'arguments.js'),
  'process.stdout.write(JSON.stringify(process.argv.slice(2)));',
);
writeFileSync(join(job.folder, 'merchant-orders.cmd'), `@"${process.execPath}" "%~dp0arguments.js" %*\r\n`);
const options = { cwd: job.folder, windowsVerbatimArguments: true, encoding: 'utf8' } as const;
writeResult(
  job,
  job.lines.map((line) => {
    const { stdout, stderr } = spawnSync('cmd.exe', ['/d', '/c', line], options);
    return stdout.startsWith('[') ? JSON.parse(stdout) : [stdout, stderr];
  }),
);
