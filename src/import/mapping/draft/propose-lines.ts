import type { JsonObject } from '../../../orders/json.ts';
import { fieldsOfHeader } from '../guess/guess-by-header.ts';
import { type Header, nameOf } from '../header.ts';
import { createLineParser } from '../lines.ts';
import type { LinesChoice, LinesProposal } from './proposal.ts';

/** Lines side by side (`SKU 1`, `Qty 1`, `SKU 2`, `Qty 2`) or in one cell (`TEA-1 x 2; MUG x 1`). */
export function proposeLines(
  header: Header,
  free: readonly number[],
  hasQuantity: boolean,
): LinesProposal | undefined {
  const wide = hasQuantity ? undefined : wideLines(header, free);
  if (wide !== undefined) return { choices: [wide], isSettled: true };
  const packed = free
    .map((index) => packedLines(header, index))
    .filter((found) => found !== undefined && (!hasQuantity || found.hasSeveral));
  const [first, ...others] = packed;
  if (first === undefined) return undefined;
  const isSure = first.hasSeveral && first.isNamed && !hasQuantity && others.length === 0;
  if (isSure && first.choices.length === 1) return { choices: first.choices, isSettled: true };
  const choices = packed.flatMap((found) => [
    ...(found?.choices ?? []),
    ...(hasQuantity ? [] : [found?.whole ?? []]),
  ]);
  return { choices: choices.flat().slice(0, maxChoices), isSettled: false };
}

const maxChoices = 5;
const quantity = 'items[].quantity:number';

interface Family {
  pattern: string;
  target: string | undefined;
  byNumber: Map<string, number>;
}

/** A column for goods and one for quantities, each with the same two numbers or more. */
function wideLines(header: Header, free: readonly number[]): LinesChoice | undefined {
  const families = new Map<string, Family>();
  for (const index of free) {
    const name = header.cells[index] ?? '';
    const [, before = '', number, after = ''] = /^([^\d{}]{0,60})(\d{1,3})([^\d{}]{0,60})$/.exec(name) ?? [];
    if (number === undefined) continue;
    const pattern = `${before}{n}${after}`;
    const family = families.get(pattern) ?? {
      pattern,
      target: targetOf(before + after),
      byNumber: new Map(),
    };
    if (family.byNumber.has(number)) return undefined;
    family.byNumber.set(number, index);
    families.set(pattern, family);
  }
  const all = [...families.values()].filter(
    ({ target, byNumber }) => target !== undefined && byNumber.size > 1,
  );
  const numbers = [...(all[0]?.byNumber.keys() ?? [])];
  const isAlike = ({ byNumber }: Family) =>
    byNumber.size === numbers.length && numbers.every((number) => byNumber.has(number));
  const targets = new Set(all.map(({ target }) => target));
  const isWhole = targets.has(quantity) && targets.size > 1 && targets.size === all.length;
  if (!isWhole || !all.every(isAlike)) return undefined;
  const wide: JsonObject = Object.fromEntries(all.map(({ pattern, target }) => [pattern, target ?? '']));
  const indexOf = (wanted: string, number: string) =>
    all.find(({ target }) => target === wanted)?.byNumber.get(number) ?? -1;
  const samples = (header.below ?? []).slice(0, maxSamples).map(({ cells }) =>
    numbers.flatMap((number) => {
      const goods = ['items[].sku', 'items[].name'].map((target) => cells[indexOf(target, number)] ?? '');
      const texts = goods.filter((text) => text !== '');
      return texts.length === 0 ? [] : [`${cells[indexOf(quantity, number)] ?? ''} × ${texts.join(' ')}`];
    }),
  );
  const columns = all.flatMap(({ byNumber }) => [...byNumber.values()]);
  return { lines: { wide }, columns, name: all.map(({ pattern }) => pattern).join(', '), samples };
}

function targetOf(name: string): string | undefined {
  const words = name.replace(/[#_()[\].:№-]+/g, ' ').trim();
  const targets: readonly string[] = ['items[].sku', 'items[].name', quantity];
  const [best] = [...fieldsOfHeader(words)].toSorted(([, left], [, right]) => right.score - left.score);
  return best !== undefined && targets.includes(best[0]) && best[1].score >= 0.5 ? best[0] : undefined;
}

const separators = [';', ',', '|', '\n', '+', '/', '&', undefined] as const;
/** `%` stands for the goods, `#` for the quantity. */
const forms = ['% x #', '# x %', '% × #', '# × %', '% х #', '# х %', '% * #', '# * %'];
/** A number in parentheses may be a size. */
const doubtfulForms = ['% (#)'];
const maxCellLength = 2000;
const maxSamples = 2;

interface Packed {
  choices: LinesChoice[];
  /** All of each cell is the name of one product. */
  whole: LinesChoice;
  hasSeveral: boolean;
  isNamed: boolean;
}

/** Every way to read all cells below the header; each reads different lines. */
function packedLines(header: Header, index: number): Packed | undefined {
  const cells = (header.below ?? []).map((row) => row.cells[index] ?? '').filter((cell) => cell !== '');
  const mayHold = (cell: string) => cell.length <= maxCellLength && /\d/.test(cell) && /[x×х*(]/i.test(cell);
  if (cells.length === 0 || !cells.every(mayHold)) return undefined;
  const name = nameOf(header, index);
  const byReading = new Map<string, LinesChoice>();
  let hasSeveral = false;
  let isDoubtful = false;
  for (const form of [...forms, ...doubtfulForms]) {
    for (const between of separators) {
      const read = readAll(cells, form, between);
      if (read === undefined) continue;
      const reading = JSON.stringify(read);
      if (byReading.has(reading)) continue;
      hasSeveral ||= read.some((lines) => lines.length > 1);
      isDoubtful ||= doubtfulForms.includes(form);
      const goods =
        targetOf(name) === 'items[].sku' || read.flat().every(([text]) => isCode(text))
          ? 'items[].sku'
          : 'items[].name';
      byReading.set(reading, {
        lines: {
          from: name,
          ...(between === undefined ? {} : { between }),
          form: form.replace('%', `{${goods}}`).replace('#', `{${quantity}}`),
        },
        columns: [index],
        name,
        samples: read.slice(0, maxSamples).map((lines) => lines.map(([text, count]) => `${count} × ${text}`)),
      });
    }
  }
  if (byReading.size === 0) return undefined;
  const whole: LinesChoice = {
    lines: { from: name, form: '{items[].name}' },
    columns: [index],
    name,
    samples: cells.slice(0, maxSamples).map((cell) => [cell]),
  };
  return { choices: [...byReading.values()], whole, hasSeveral, isNamed: !isDoubtful && isForGoods(name) };
}

function readAll(
  cells: readonly string[],
  form: string,
  between: string | undefined,
): [string, string][][] | undefined {
  const { targets, parse } = createLineParser({
    from: '',
    ...(between === undefined ? {} : { between }),
    form: form.replace('%', '{items[].name}').replace('#', `{${quantity}}`),
  });
  const place = targets.indexOf('items[].name');
  const all: [string, string][][] = [];
  for (const cell of cells) {
    const lines = parse(cell);
    if (lines === undefined || lines.length === 0) return undefined;
    all.push(lines.map((texts) => [texts[place] ?? '', texts[1 - place] ?? '']));
  }
  return all;
}

function isCode(text: string): boolean {
  return /^[\p{Lu}\d][\p{Lu}\d._/-]*$/u.test(text) && /[\d-]/.test(text);
}

function isForGoods(name: string): boolean {
  const found = fieldsOfHeader(name);
  const words =
    /^(?:line ?)?(?:items?|products?|goods|articles?|art[ií]culos?|productos?|артикул|товары?|бараа(?:нууд)?|artikel|positionen|lines?|order items|contents?|sku'?s?)$/i;
  return found.has('items[].sku') || found.has('items[].name') || words.test(name.trim());
}
