interface Form {
  /** The text before the first field. */
  before: string;
  fields: readonly FormField[];
  targets: readonly string[];
}

interface FormField {
  /** `*` for a text that is not read. */
  target: string;
  isQuantity: boolean;
  /** The text after it, as the form has it and without the spaces around it. */
  spaced: string;
  after: string;
  next: FormField | undefined;
}

/** `{items[].sku} x {items[].quantity:number}` → its fields. A quantity is digits; other fields are any text, as `{*}`. */
export function createForm(form: string): Form {
  const [before = '', ...pieces] = form.trim().split('{');
  const fields: FormField[] = [];
  for (const piece of pieces.toReversed()) {
    const [target = '', literal = ''] = piece.split('}');
    const spaced = foldLine(withSingleSpaces(literal));
    const after = spaced.trim() || spaced;
    fields.unshift({ target, isQuantity: isQuantity(target), spaced, after, next: fields[0] });
  }
  const targets = fields.map(({ target }) => target).filter((target) => target !== '*');
  return { before: foldLine(withSingleSpaces(before)).trim(), fields, targets };
}

export function isQuantity(target: string): boolean {
  return target.includes('quantity');
}

function withSingleSpaces(text: string): string {
  return text.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? '\n' : ' '));
}

/** For searching, and of the same length: in lower case, with spaces for line breaks. */
function foldLine(text: string): string {
  const spaced = text.replaceAll('\n', ' ');
  const folded = spaced.toLowerCase();
  if (folded.length === text.length) return folded;
  return Array.from(spaced, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join('');
}

/** The texts of the first form that the line has; undefined when it has none. */
export function readForms(
  line: string,
  forms: readonly Form[],
  all: readonly string[],
): string[] | undefined {
  const text = withSingleSpaces(line);
  const folded = foldLine(text);
  for (const form of forms) {
    const texts = readForm(text, folded, form);
    if (texts !== undefined) return all.map((target) => texts.get(target) ?? '');
  }
  return undefined;
}

/** Reads from left to right and never goes back: the time must not grow faster than the length of the text. */
function readForm(text: string, folded: string, { before, fields }: Form): Map<string, string> | undefined {
  if (!folded.startsWith(before)) return undefined;
  const texts = new Map<string, string>();
  let position = before.length;
  for (const field of fields) {
    const end = (field.isQuantity ? endOfQuantity : endOfText)(folded, position, field);
    if (end === undefined) return undefined;
    const found = text.slice(position, end).trim();
    if (found.includes('\n')) return undefined;
    if (field.target !== '*') texts.set(field.target, found);
    position = end + field.after.length;
  }
  return position === text.length ? texts : undefined;
}

function endOfQuantity(folded: string, position: number, { after, next }: FormField): number | undefined {
  const digits = / ?\d{1,9}(?:\.\d{1,4})?(?!\.?\d)/y;
  digits.lastIndex = position;
  if (!digits.test(folded)) return undefined;
  const end = digits.lastIndex;
  const space = folded[end] === ' ' ? 1 : 0;
  return [end, end + space].find(
    (start) =>
      folded.startsWith(after, start) && (next !== undefined || start + after.length === folded.length),
  );
}

/** The first place of the text after the field, with a quantity behind it when one comes next. */
function endOfText(folded: string, position: number, field: FormField): number | undefined {
  const { target, spaced, after, next } = field;
  const first = target === '*' ? position : position + 1;
  if (next === undefined) {
    const end = folded.length - after.length;
    return end >= first && folded.endsWith(after) ? end : undefined;
  }
  const lead = spaced !== after && spaced.startsWith(' ') ? 1 : 0;
  const isEnd = (end: number) =>
    !next.isQuantity || endOfQuantity(folded, end + after.length, next) !== undefined;
  for (let at = folded.indexOf(spaced, first - lead); at !== -1; at = indexAfter(folded, spaced, at)) {
    if (isEnd(at + lead)) return at + lead;
  }
  if (spaced === after) return undefined;
  for (let at = folded.indexOf(after, first); at !== -1; at = indexAfter(folded, after, at)) {
    if (isEnd(at) && !(lead === 1 && isInWord(folded, at, after))) return at;
  }
  return undefined;
}

function indexAfter(folded: string, text: string, at: number): number {
  return at < folded.length ? folded.indexOf(text, at + 1) : -1;
}

/** The `x` of `Max 2` is the end of a word. */
function isInWord(folded: string, at: number, text: string): boolean {
  return /^\p{L}{2}$/u.test(folded.slice(at - 1, at + 1)) && folded[at + text.length] === ' ';
}
