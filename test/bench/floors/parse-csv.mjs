// csv-parse alone: node parse-csv.mjs FILE. Reads the file once and counts its records.
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { parse } from 'csv-parse';

let records = 0;
const parser = createReadStream(process.argv[2]).pipe(parse());
parser.on('readable', () => {
  while (parser.read() !== null) records += 1;
});
parser.on('end', () => process.stdout.write(`${records}\n`));
