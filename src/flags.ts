import { InvalidArgumentError, Option } from 'commander';
import { type ReferenceKind, referenceKinds } from './orders/order-reference.ts';

/** Flag text → a whole number from 1; for commander, which shows the message with the flag's name. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a whole number from 1.');
  return Number(text);
}

/** A page number: some services begin at 0. */
export function parsePageNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}

export function parsePort(text: string): number {
  const port = parsePageNumber(text);
  if (port > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535; 0 takes a free one.');
  return port;
}

export function parseSeconds(text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(text) || Number(text) <= 0) {
    throw new InvalidArgumentError('It is a number of seconds above 0.');
  }
  return Number(text);
}

export function parseMilliseconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It is a whole number of milliseconds.');
  return Number(text);
}

/** A header takes visible ASCII; the longest that any service is known to take is 255. */
export function parseIdempotencyKey(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new InvalidArgumentError('It is 1 to 255 letters, digits and signs, without spaces.');
  }
  return text;
}

/** For a flag that may be given several times. */
export function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text];
}

export function parseNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It is a list of names with commas between them.');
  return names;
}

/** `--by`: how to read what names an order. */
export function byOption(): Option {
  return new Option('--by <kind>', 'read <order> only as this').choices(referenceKinds);
}

export type By = { by?: ReferenceKind };

/** `--delimiter` of a CSV. */
export function delimiterOption(): Option {
  return new Option(
    '--delimiter <character>',
    'what stands between cells, tab for a TAB; else it is found out',
  ).argParser(parseDelimiter);
}

function parseDelimiter(text: string): string {
  if (/^(?:tab|\\t)$/i.test(text)) return '\t';
  if (text.length !== 1 || /["\r\n]/.test(text)) {
    throw new InvalidArgumentError('It is one character, or tab.');
  }
  return text;
}

/** `--encoding` of a CSV. */
export function encodingOption(): Option {
  return new Option('--encoding <name>', 'such as windows-1251; else it is found out').argParser(
    parseEncoding,
  );
}

/** The name of an encoding, as the platform's decoder has it. */
export function parseEncoding(text: string): string {
  try {
    return new TextDecoder(text, { fatal: true }).encoding;
  } catch {
    throw new InvalidArgumentError('It is no encoding that is known here.');
  }
}
