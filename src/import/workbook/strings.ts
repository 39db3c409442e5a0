import { copyOrders, WorkbookError } from './archive.ts';
import { readXml } from './xml.ts';

/** As many as a spreadsheet allows in a cell. */
const maxCharacters = 32_767;
const maxStrings = 4_000_000;
/** `_x000D_` stands for a character that XML does not allow. */
const escaped = /_x([0-9a-f]{4})_/gi;

/** Collects the text of a cell or a shared string: all runs of it, without phonetic readings. */
export function createTextCollector(place: () => string) {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open: (name: string): void => {
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    close: (name: string): void => {
      if (name === 'rPh') isPhonetic = false;
      isText = false;
    },
    add: (piece: string): void => {
      if (!isText) return;
      text = limitText(text + piece, place);
    },
    take: (): string => {
      const taken = unescapeText(text, place);
      text = '';
      return taken;
    },
  };
}

/** Throws WorkbookError when a text is too long even if each of its characters is escaped. */
export function limitText(text: string, place: () => string): string {
  if (text.length > maxCharacters * '_x000D_'.length) throw tooLong(place);
  return text;
}

export function unescapeText(text: string, place: () => string): string {
  const unescaped = text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
  if (unescaped.length > maxCharacters) throw tooLong(place);
  return unescaped;
}

function tooLong(place: () => string): WorkbookError {
  const most = maxCharacters.toLocaleString('en');
  return new WorkbookError(`has a text of more than ${most} characters in ${place()}`, shortenText);
}

const shortenText = 'Shorten that text, or remove the column if the orders do not need it.';

export async function readSharedStrings(part: string, bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const strings: string[] = [];
  const collector = createTextCollector(() => part);
  await readXml(part, bytes, {
    open: collector.open,
    text: collector.add,
    close: (name) => {
      collector.close(name);
      if (name !== 'si') return;
      if (strings.length === maxStrings) {
        const problem = `has more than ${maxStrings.toLocaleString('en')} different texts`;
        throw new WorkbookError(problem, copyOrders);
      }
      strings.push(flat(collector.take()));
    },
  });
  return strings;
}

/** A copy: a piece of a string keeps the whole of it in memory. */
function flat(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
