import { open } from 'node:fs';
import process from 'node:process';
import { createShell } from '../../src/system/shell.ts';

// Opens a pipe to which nobody writes, as on a network drive that does not respond, whatever signal comes.
const { interruption } = createShell(process, new URL('../../', import.meta.url));
interruption.stopping.addEventListener('abort', () => process.send?.('stopping'));
open(process.argv[2] ?? '', () => undefined);
process.send?.('opening');
