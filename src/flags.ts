import { type Command, InvalidArgumentError, Option } from 'commander';
import { t } from './advice/advice.ts';
import { type ChosenKind, chosenKinds } from './orders/order-reference.ts';

/** Text between the summary and the flags in the help. Lines that are not indented are joined to paragraphs. */
export function explain(command: Command, text: string): Command {
  const summary = command.description();
  const paragraphs = text.trimEnd().replace(/^(\S.*)\n(?=\S)/gm, '$1 ');
  return command.summary(summary).description(`${summary}\n${paragraphs}`);
}

/** Flag text → a whole number from 1. Commander shows the message of the error with the flag's name. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError(String(t`Expected a whole number from 1.`));
  return Number(text);
}

/** Some services count pages from 0. */
export function parsePageNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError(String(t`Expected a whole number.`));
  return Number(text);
}

export function parsePort(text: string): number {
  const port = parsePageNumber(text);
  if (port > 65_535)
    throw new InvalidArgumentError(String(t`Expected a port from 0 to 65535; 0 picks a free one.`));
  return port;
}

export function parseSeconds(text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(text) || Number(text) <= 0) {
    throw new InvalidArgumentError(String(t`Expected a number of seconds above 0.`));
  }
  return Number(text);
}

export function parseMilliseconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) {
    throw new InvalidArgumentError(String(t`Expected a whole number of milliseconds, at most 9999999.`));
  }
  return Number(text);
}

/** A header value is visible ASCII; no service is known to accept more than 255 characters. */
export function parseIdempotencyKey(text: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new InvalidArgumentError(String(t`Expected 1 to 255 letters, digits and symbols, without spaces.`));
  }
  return text;
}

export function parseFileName(text: string): string {
  if (text === '') throw new InvalidArgumentError(String(t`Please name a file.`));
  return text;
}

export function collect(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), text];
}

export function parseNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError(String(t`Expected names separated by commas.`));
  return names;
}

export function byOption(): Option {
  return new Option('--by <kind>', 'what kind of reference <order> is (default: by its form)').choices(
    chosenKinds,
  );
}

function parseReference(text: string): string {
  const reference = text.trim();
  if (reference === '') throw new InvalidArgumentError(String(t`Please name the order.`));
  return reference;
}

export function collectReference(text: string, earlier: string[] | undefined): string[] {
  return [...(earlier ?? []), parseReference(text)];
}

export type By = { by?: ChosenKind };

export function delimiterOption(): Option {
  return new Option(
    '--delimiter <character>',
    'separator between cells, such as ; or tab (default: detected)',
  ).argParser(parseDelimiter);
}

function parseDelimiter(text: string): string {
  if (/^(?:tab|\\t)$/i.test(text)) return '\t';
  if (text.length !== 1 || /["\r\n]/.test(text)) {
    throw new InvalidArgumentError(String(t`Expected one character, or tab.`));
  }
  return text;
}

export function encodingOption(): Option {
  return new Option(
    '--encoding <name>',
    'encoding of the file, such as windows-1251 (default: detected)',
  ).argParser(parseEncoding);
}

/** An encoding → its name in TextDecoder. */
export function parseEncoding(text: string): string {
  try {
    return new TextDecoder(text, { fatal: true }).encoding;
  } catch {
    throw new InvalidArgumentError(String(t`Expected a known encoding, such as utf-8 or windows-1251.`));
  }
}
