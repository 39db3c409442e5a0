import { SaxesParser } from 'saxes';
import { advice, type Text, t } from '../../../advice/advice.ts';
import { WorkbookError } from './archive.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Called for each tag and text. Names come without their namespace prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

const maxDepth = 64;
/** For one tag, text or comment; a cell has at most 32,767 characters. */
const maxTokenLength = 1024 * 1024;

/** Parses a part of a workbook; returns after each piece of it. Errors: WorkbookError, and those of the part. */
export async function* parseXml(
  part: Text,
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let pending = 0;
  const refuse = (what: Text): never => {
    throw new WorkbookError(advice`${what} (${part})`);
  };
  const onText = (text: string) => {
    pending = 0;
    handler.text?.(text);
  };
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0;
    depth += 1;
    if (depth > maxDepth) refuse(t`is nested more than ${maxDepth} levels deep`);
    handler.open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    pending = 0;
    depth -= 1;
    handler.close?.(localName(name));
  });
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('doctype', () => refuse(t`has a document type declaration, which no workbook may have`));
  parser.on('error', () => refuse(t`has damaged XML inside`));
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (chunk?: Uint8Array) => {
    try {
      return (decoder as InstanceType<typeof TextDecoder>).decode(chunk, { stream: chunk !== undefined });
    } catch {
      return refuse(t`has XML inside that is not UTF-8`);
    }
  };
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    const text = decode(chunk);
    pending += text.length;
    parser.write(text);
    if (pending > maxTokenLength) refuse(t`has a text of more than 1 MiB inside`);
    yield;
  }
  if (decoder !== undefined) parser.write(decode());
  parser.close();
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

export async function readXml(
  part: Text,
  bytes: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  for await (const _ of parseXml(part, bytes, handler));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** An attribute of the XML schema type boolean. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
