import process from 'node:process';
import { openDatabase } from '../../src/system/sqlite.ts';

// Opens the database of each message, and sends back `opened` or the error.
process.on('message', async (path: string) => {
  try {
    const database = await openDatabase(path);
    database.exec('CREATE TABLE IF NOT EXISTS a (b); INSERT INTO a VALUES (1)');
    database.close();
    process.send?.('opened');
  } catch (error) {
    process.send?.(String(error));
  }
});
