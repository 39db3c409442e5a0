import { open } from 'node:fs';
import process from 'node:process';
import { createSystem } from '../../src/system/system.ts';

// Opens a pipe to which nobody writes, as on a network drive that does not respond, whatever signal comes.
createSystem(process, new URL('../../', import.meta.url));
open(process.argv[2] ?? '', () => undefined);
process.send?.('opening');
