import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { CliError } from '../errors.ts';
import { cleanCell } from './clean-cell.ts';
import type { Row, Table } from './table.ts';

/**
 * Opens a CSV file (UTF-8, with or without BOM) and reads its header; the rows are read as they are asked for.
 * `name` is what errors call it.
 * Errors, from the start or while reading: `file_not_readable`, `file_invalid` naming the line.
 */
export async function readTable(path: string, name: string, delimiter: string): Promise<Table> {
  const records = readRecords(path, name, delimiter);
  const first = await records.next();
  if (first.done) throw invalid(name, 'is empty', 'Export it again with a header line.');
  const header = first.value.cells;
  return { header, rows: restOf(records, header.length, name) };
}

async function* restOf(records: AsyncGenerator<Row>, width: number, name: string): AsyncGenerator<Row> {
  for await (const record of records) {
    const { row, line, cells } = record;
    if (cells.every((cell) => cell === '')) continue;
    if (cells.length === width) {
      yield record;
      continue;
    }
    const isOnlyPadding = cells.length > width && cells.slice(width).every((cell) => cell === '');
    if (!isOnlyPadding) {
      throw invalid(
        name,
        `has ${cells.length} cells in row ${row} (line ${line}), but the header has ${width}`,
        'Look there for a delimiter too many or too few, or a cell that needs quotes; if every row looks wrong, name the --delimiter.',
      );
    }
    yield { row, line, cells: cells.slice(0, width) };
  }
}

async function* readRecords(path: string, name: string, delimiter: string): AsyncGenerator<Row> {
  const source = Readable.from(decode(path));
  // Counted while the parser works: what it still holds is lost when it fails, and it counts CRLF twice itself.
  let line = 1;
  const lines: number[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: 10 * 1024 * 1024,
    on_record: (cells) => {
      lines.push(line);
      line += cells.reduce((count, cell) => count + countLineBreaks(cell), 1);
      return cells;
    },
  });
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row += 1;
      yield { row, line: lines.shift() ?? line, cells: cells.map(cleanCell) };
    }
  } catch (error) {
    throw explain(error, name, line);
  }
}

function countLineBreaks(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

async function* decode(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

function explain(error: unknown, name: string, line: number): unknown {
  if (error instanceof CsvError) {
    const problem =
      error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE'
        ? `has a quote that opens on line ${line} and never closes`
        : `cannot be read as CSV at line ${line}: a quote stands where none can`;
    return invalid(name, problem, 'Mend the quotes there, or export the file again.');
  }
  if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return invalid(name, 'is not UTF-8 text', 'Save it as "CSV UTF-8" and run the same command again.');
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const reason = code === 'ENOENT' ? 'it is not there' : code === 'EISDIR' ? 'it is a folder' : code;
  return new CliError('file_not_readable', `${name} cannot be read: ${reason}.`, { hint: 'Check the name.' });
}

function invalid(name: string, problem: string, hint: string): CliError {
  return new CliError('file_invalid', `${name} ${problem}.`, { hint, outcome: 'not_sent' });
}
