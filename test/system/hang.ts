import { open } from 'node:fs';
import process from 'node:process';
import { packageFilesIn } from '../../src/package-files.ts';
import { createShell } from '../../src/system/shell.ts';

// Opens a pipe to which nobody writes, as on a network drive that does not respond, whatever signal comes.
const { interruption } = createShell(process, packageFilesIn(new URL('../../', import.meta.url)));
interruption.stopping.addEventListener('abort', () => process.send?.('stopping'));
open(process.argv[2] ?? '', () => undefined);
process.send?.('opening');
