import { once } from 'node:events';
import process from 'node:process';
import { openDatabase } from '../../src/system/sqlite.ts';

// At a message, adds 1 to the number in the database of the first argument as often as the second says, each time by
// reading it first.
const [, , path = '', times] = process.argv;
const database = await openDatabase(path);
const select = database.prepare('SELECT number FROM counts');
const update = database.prepare('UPDATE counts SET number = ?');
process.send?.('ready');
await once(process, 'message');
for (let count = 0; count < Number(times); count += 1)
  await database.groupTransaction(() => update.run((select.get() as { number: number }).number + 1));
database.close();
process.disconnect();
