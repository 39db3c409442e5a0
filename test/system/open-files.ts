import process from 'node:process';
import { openDatabase } from '../../src/system/sqlite.ts';

/** In a process of its own: opens each database that it is told of, and tells how that went. */
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
