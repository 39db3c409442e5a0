import process from 'node:process';
import { remember } from '../src/mappings/remembered-mappings.ts';
import { createMappingStore } from '../src/system/configuration-files.ts';
import { createPrivateDirectory } from '../src/system/private-files.ts';

// Remembers as many mappings as the third argument says, in the folder of the first one, for columns named after the second.
const [, , directory = '', name = '', count = '0'] = process.argv;
const mappings = createMappingStore(createPrivateDirectory(directory, () => undefined));
const identity = async () => ({ profile: 'shop' }) as never;
const clock = { now: () => Date.now() } as never;
process.send?.('ready');
await new Promise((resolve) => process.once('message', resolve));
for (let index = 0; index < Number(count); index++) {
  const header = { cells: [`${name} ${index}`] };
  await remember({ identity, mappings, clock }, { file: 'orders.csv', header, mapping: {}, seen: {} });
}
process.disconnect();
