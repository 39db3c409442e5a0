import { type Text, t } from '../../../advice/advice.ts';
import { formatCount } from '../../../orders/decimal.ts';
import { copyOrders, WorkbookError } from './archive.ts';
import { readXml } from './xml.ts';

/** As many as a spreadsheet allows in a cell; an escaped one counts as what is written for it. */
const maxCharacters = 32_767;
const maxStrings = 4_000_000;
/** `_x000D_` stands for a character that XML does not allow. */
const escaped = /_x([0-9a-f]{4})_/gi;

/** All runs of a text, without phonetic readings. Error: WorkbookError, when it is too long. */
export function createTextCollector(place: () => Text) {
  let text = '';
  let isText = false;
  let isPhonetic = false;
  return {
    open: (name: string): void => {
      if (name === 'rPh') isPhonetic = true;
      if (name === 'v') text = '';
      isText = name === 'v' || (name === 't' && !isPhonetic);
    },
    close: (name: string): void => {
      if (name === 'rPh') isPhonetic = false;
      isText = false;
    },
    add: (piece: string): void => {
      if (!isText) return;
      text += piece;
      if (text.length <= maxCharacters) return;
      const problem = t`has a text of more than ${formatCount(maxCharacters)} characters in ${place()}`;
      throw new WorkbookError(problem, shortenText);
    },
    take: (): string => {
      const taken = text;
      text = '';
      if (!taken.includes('_x')) return taken;
      return taken.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    },
  };
}

const shortenText = t`Shorten that text, or remove the column if the orders do not need it.`;

export async function readSharedStrings(part: string, bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const strings: string[] = [];
  const { open, close, add, take } = createTextCollector(() => part);
  await readXml(part, bytes, {
    open,
    text: add,
    close: (name) => {
      close(name);
      if (name === 'si') strings.push(flat(take()));
      if (strings.length <= maxStrings) return;
      const problem = t`has more than ${formatCount(maxStrings)} different texts`;
      throw new WorkbookError(problem, copyOrders);
    },
  });
  return strings;
}

/** A slice of a string keeps the whole string in memory. */
function flat(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
