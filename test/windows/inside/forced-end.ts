import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { packageFilesIn } from '../../../src/package-files.ts';
import { createShell } from '../../../src/system/shell.ts';

/** A process that does not end when it is asked to. The file of the argument appears when it can be interrupted. */
createShell(process, packageFilesIn(pathToFileURL(process.cwd())));
setInterval(() => undefined, 1000);
writeFileSync(process.argv[2] ?? '', '');
process.stderr.write('ready\n');
