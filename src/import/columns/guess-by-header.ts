import { distance } from 'fastest-levenshtein';
import { normaliseName, normaliseWords, once } from '../../words/phrases.ts';
import { units } from '../words/quantity.ts';
import { aliasesOf } from './known-fields.ts';
import { meaningOfHeader } from './meanings.ts';
import data from './roles.json' with { type: 'json' };

/** A field whose column is searched for; a key of `columns` in a mapping file. */
export type GuessedField = keyof typeof data.fields;
export const guessedFields = Object.keys(data.fields) as GuessedField[];

/** Names in many languages. Case, accents and punctuation do not matter. */
interface FieldNames {
  /** What its column means where it fills no field. */
  means?: string;
  /** Those that can mean nothing else. */
  names: readonly string[];
  /** Those that other columns have as well. */
  weak?: readonly string[];
  /** Words beside a name that change nothing. */
  besides?: readonly string[];
  /** Names of columns that look like the field and hold something near it. */
  rivals?: readonly string[];
  /** Words beside a name that turn it into another column. */
  others?: readonly string[];
  /** Words with which the column is never the field, whatever its values look like. */
  never?: readonly string[];
}

const fieldNames: Record<GuessedField, FieldNames> = data.fields;
/** `@persons` in a list of names stands for the list of that name. */
const lists: Readonly<Record<string, readonly string[]>> = data.lists;

/** How a header names a field; `beside`: with words that make it another column, as in "Billing phone". */
type MatchKind = 'name' | 'weak' | 'beside' | 'near';

export interface HeaderMatch {
  kind: MatchKind;
  /** 0 to 1: 1 for a name that can mean nothing else. */
  score: number;
}

interface Names {
  whole: ReadonlySet<string>;
  weak: ReadonlySet<string>;
  rivals: ReadonlySet<string>;
  besides: ReadonlySet<string>;
  others: ReadonlySet<string>;
  never: ReadonlySet<string>;
  /** Whether a word for the person makes a weak name certain: `destino_nombre`. */
  persons: boolean;
  /** The names as words, the longest first. */
  phrases: readonly (readonly string[])[];
}

const besidesAll = namesIn('the|of|de|del|der|des|du|da|do|la|le|el|für|for|mnt|төг|төгрөг');

let builtNames: ReadonlyMap<GuessedField, Names> | undefined;

/** Built for the first unknown header: most files have none. */
function namesByField(): ReadonlyMap<GuessedField, Names> {
  builtNames ??= new Map<GuessedField, Names>(
    guessedFields.map((field) => {
      const { names, weak = [], rivals = [], besides = [], others = [], never = [] } = fieldNames[field];
      const all = [...namesIn(names), ...aliasesOf(field).map(normaliseWords)];
      const near = new Set(namesIn(rivals));
      const own = all.filter((name) => !near.has(name));
      return [
        field,
        {
          whole: new Set(own.map(joined)),
          weak: new Set(namesIn(weak).map(joined)),
          rivals: new Set([...near].map(joined)),
          besides: new Set([...besidesAll, ...namesIn(besides).flatMap(wordsOf)]),
          others: new Set(namesIn(others).flatMap(wordsOf)),
          never: new Set(namesIn(never).flatMap(wordsOf)),
          persons: field === 'customer.name',
          phrases: own.map(wordsOf).sort((left, right) => right.length - left.length),
        },
      ] as const;
    }),
  );
  return builtNames;
}

/** Headers that certainly hold something else, whatever their values look like. */
const others = new Set(namesIn([...data.others, ...data.rules.variant]).map(joined));
const maxHeaderLength = 200;

/** What joins the names of a header of two rows. */
const groupMark = ' / ';

/** The fields that a header may name, each with its score. */
export function fieldsOfHeader(header: string): ReadonlyMap<GuessedField, HeaderMatch> {
  const found = new Map<GuessedField, HeaderMatch>();
  if (header.length > maxHeaderLength) return found;
  const own = fieldsInGroup(header);
  if (own !== undefined) return own;
  const parts = partsOf(header);
  for (const [field, names] of namesByField()) {
    if (isNever(parts, names)) continue;
    const matches = parts.flatMap((words) => matchOf(words, names) ?? []);
    const best = matches.toSorted((left, right) => right.score - left.score)[0];
    if (best !== undefined) found.set(field, best);
  }
  addMeaning(found, header, parts);
  const isOther = isOtherName(parts);
  const best = Math.max(0, ...[...found.values()].map(({ score }) => score));
  for (const [field, { score }] of found) {
    // A header that clearly names one thing does not name what it barely fits.
    if ((isOther && score < 0.9) || score < best - 0.3) found.delete(field);
  }
  return found;
}

/** Those of `Address` in `Customer / Address`; undefined when it says too little, as `Name` in `Product / Name`. */
function fieldsInGroup(header: string): ReadonlyMap<GuessedField, HeaderMatch> | undefined {
  const start = header.lastIndexOf(groupMark);
  if (start < 0) return undefined;
  const own = fieldsOfHeader(header.slice(start + groupMark.length));
  return [...own].some(([field, { kind }]) => kind === 'name' && field !== 'customer.name') ? own : undefined;
}

/** Whether a header clearly means another field, or something that is not a field. */
export function isOtherThan(field: GuessedField, header: string): boolean {
  if (header.length > maxHeaderLength) return true;
  const parts = partsOf(header);
  const names = namesByField().get(field);
  return isOtherName(parts) || (names !== undefined && isNever(parts, names));
}

function isOtherName(parts: readonly (readonly string[])[]): boolean {
  return parts.some((words) => others.has(joined(words.join(' '))));
}

/** What a column of amounts holds beside a total; `none`: its numbers are no amounts. */
export type AmountKind = 'goods' | 'delivery' | 'tax' | 'discount' | 'total' | 'none';

const kindsByList: readonly [AmountKind, list: keyof typeof data.lists, isWhole: boolean][] = [
  ['discount', 'discounts', false],
  ['tax', 'taxes', false],
  ['delivery', 'deliveryAmounts', false],
  // `Price after deposit` is no price.
  ['goods', 'goodsAmounts', true],
];

const amountNames = once(() =>
  kindsByList.map(([kind, list, isWhole]) => ({
    kind,
    known: namesIn(lists[list] ?? []).map(wordsOf),
    isWhole,
  })),
);

const numberedFields: readonly GuessedField[] = [
  'externalOrderId',
  'customer.externalCustomerId',
  'customer.phone',
  'items[].sku',
  'deliveryAddress.postalCode',
];

/** Undefined for a header that names no amount, or one to pay or paid. */
export function amountKindOf(header: string): AmountKind | undefined {
  if (header.length > maxHeaderLength) return undefined;
  const meaning = meaningOfHeader(header);
  if (meaning === 'shipping_method') return 'delivery';
  if (meaning !== undefined) return undefined;
  const parts = partsOf(header);
  const names = namesByField().get('total');
  const besides = new Set([...(names?.besides ?? []), ...namesIn(lists.amountWords ?? [])]);
  const isDeduction = parts.some((words) => words.some((word) => deductions.has(word)));
  for (const { kind, known, isWhole } of amountNames()) {
    const isKind = (words: readonly string[]) => {
      const own = words.filter((word) => !besides.has(word)).join('');
      const isNamed = known.some((name) => [words.join(''), own].includes(name.join('')));
      return isNamed || (!isWhole && !isDeduction && known.some((name) => contains(words, name)));
    };
    if (parts.some(isKind)) return kind;
  }
  if (names !== undefined && isNever(parts, names)) return 'none';
  const fields = fieldsOfHeader(header);
  if (fields.get('total')?.kind === 'name') return 'total';
  return numberedFields.some((field) => fields.get(field)?.kind === 'name') ? 'none' : undefined;
}

const unitPrices = new Set(namesIn(lists.unitPrices ?? []).map(joined));

/** `Price`, `Үнэ`: perhaps of one piece. */
export function isPriceHeader(header: string): boolean {
  if (header.length > maxHeaderLength) return false;
  return partsOf(header).some((words) =>
    unitPrices.has(joined(words.filter((word) => !besidesAll.includes(word)).join(' '))),
  );
}

const ranks = new Set(namesIn(data.ranks).map(joined));

/** `№`, `Row no`: the numbers below it count something else than pieces. */
export function isRankHeader(header: string): boolean {
  const words = normaliseWords(header);
  return words === '' || ranks.has(joined(words));
}

const endedWords =
  /cancel|refund|return|void|буцаа|цуцал|отмен|возвра|devuel|devolv|reembol|storn|retour|erstatt|rembours|annul|rimbors|zwr[oó]|iade|iptal/i;
const pieceWords =
  /qty|quantit|pieces|pcs|items|units|тоо|ширхэг|шт|кол|cant|uds|unidades|menge|anzahl|st[üu]ck|nombre de|ilo[sś][cć]|adet/i;
const dayOrMoneyWords =
  /date|amount|total|sum|value|reason|огноо|өдөр|дүн|мөнгө|шалтгаан|дата|сумма|причина|fecha|importe|motivo|datum|betrag|grund|montant/i;

/** `QuantityCancelled`, `Буцаасан тоо`: pieces that are no longer wanted. Without a word for pieces it may be a tick. */
export function countsEndedPieces(header: string, hasCounts = true): boolean {
  if (header.length > maxHeaderLength || !endedWords.test(header)) return false;
  return !dayOrMoneyWords.test(header) && (hasCounts || pieceWords.test(header));
}

/** `Total after discount` is a total. */
const deductions = new Set(
  namesIn(
    'after|less|minus|incl|including|inc|with|con|mit|inkl|nach|avec|apres|после|с|учетом|хассан|дараах|sonrasi',
  ),
);

function isNever([words = []]: readonly (readonly string[])[], { never }: Names): boolean {
  if (words.some((word) => deductions.has(word))) return false;
  // These scripts put no spaces between words.
  const isWithin = (name: string) => /^\p{Lo}{2,}$/u.test(name) && words.some((word) => word.includes(name));
  return words.some((word) => never.has(word)) || [...never].some(isWithin);
}

const givenNames = new Set(
  namesIn(
    'first name|given name|forename|nombre|nombres|vorname|prenom|nome|imie|isim|ad|adi|нэр|имя|аты|prenume|שם פרטי',
  ).map(joined),
);
const familyNames = new Set(
  namesIn(
    'last name|family name|surname|apellido|apellidos|nachname|familienname|nom de famille|nom|sobrenome|apelido|cognome|nazwisko|soyad|soyadi|soyisim|овог|фамилия|тегі|nume|שם משפחה',
  ).map(joined),
);

/** `Delivery address` → `address`: the name of a field without whose it is. */
export function nameWithoutPerson(field: GuessedField, header: string): string {
  const words = wordsOf(normaliseWords(header));
  const besides = namesByField().get(field)?.besides;
  return words.filter((word) => /\d/.test(word) || !besides?.has(word)).join(' ');
}

export function areNameParts(one: string, other: string): boolean {
  const [left, right] = [one, other].map((header) => {
    const words = wordsOf(normaliseWords(header));
    const own = words.filter((word) => !namesByField().get('customer.phone')?.besides.has(word));
    return joined((own.length === 0 ? words : own).join(' '));
  });
  const is = (first = '', last = '') => givenNames.has(first) && familyNames.has(last);
  return is(left, right) || is(right, left);
}

/** Addresses, dates and quantities have more names, in parentheses and beside units, than the list has. */
function addMeaning(
  found: Map<GuessedField, HeaderMatch>,
  header: string,
  parts: readonly (readonly string[])[],
): void {
  const meaning = meaningOfHeader(header);
  const field =
    meaning === 'address'
      ? (`deliveryAddress.${addressPart(header)}` as GuessedField)
      : ((meaning && guessedFields.find((field) => fieldNames[field].means === meaning)) ??
        addressFieldOf(parts));
  if (field === undefined) {
    const isAddress = parts.some((words) => isMisspelt(words.join(''), addressNames));
    const near = `deliveryAddress.${addressPart(header)}` as GuessedField;
    if (isAddress && found.size === 0) found.set(near, { kind: 'near', score: 0.7 });
    return;
  }
  const names = namesByField().get(field);
  if (names !== undefined && isNever(parts, names)) return;
  const isBeside = parts.some((words) => words.some((word) => names?.others.has(word)));
  const known = found.get(field);
  if (known?.kind === 'beside' || (known !== undefined && known.score >= 0.9)) return;
  found.set(field, isBeside ? { kind: 'beside', score: 0.5 } : { kind: 'name', score: 0.95 });
}

const addressNames = new Set(namesIn(data.rules.address).map(joined));

/** `shipping_person_street`, `localidad_destino`: the name of a part of an address, with whose it is. */
function addressFieldOf(parts: readonly (readonly string[])[]): GuessedField | undefined {
  const besides = namesByField().get('deliveryAddress.street')?.besides;
  for (const words of parts) {
    const own = words.filter((word) => !besides?.has(word));
    if (own.length < words.length && own.length > 0 && addressNames.has(own.join(''))) {
      return `deliveryAddress.${addressPart(own.join(' '))}` as GuessedField;
    }
  }
  return undefined;
}

/** The whole header, and its parts when it is written in two languages. */
function partsOf(header: string): string[][] {
  const texts = [header, ...header.split(/[/|\\;\n]|\s[-–—]\s/)];
  const outside = header.split(/[([{]/, 1)[0] ?? '';
  if (outside.trim() !== '' && outside !== header && isUnit(header.slice(outside.length)))
    texts.push(outside);
  const seen = new Set<string>();
  return texts.flatMap((text) => {
    const words = normaliseName(text);
    if (words === '' || seen.has(words)) return [];
    seen.add(words);
    return [words.split(' ')];
  });
}

/** What stands in parentheses behind the name of a field. */
const asides = new Set(
  namesIn('required|заавал|obligatorio|obligatoria|optional|opcional|facultatif|pflicht|обязательно'),
);

function isUnit(text: string): boolean {
  const words = normaliseWords(text);
  return words === '' || units().has(words) || asides.has(words.split(' ', 1)[0] ?? '');
}

function matchOf(words: readonly string[], names: Names): HeaderMatch | undefined {
  const whole = words.join('');
  if (names.rivals.has(whole)) return { kind: 'beside', score: 0.5 };
  if (names.whole.has(whole)) return { kind: 'name', score: 1 };
  const left = words.filter((word) => !names.besides.has(word));
  if (left.length > 0 && left.length < words.length) {
    const rest = left.join('');
    if (names.rivals.has(rest)) return { kind: 'beside', score: 0.5 };
    if (names.whole.has(rest)) return { kind: 'name', score: 0.95 };
    if (names.persons && names.weak.has(rest)) return { kind: 'name', score: 0.9 };
  }
  if (names.weak.has(whole)) return { kind: 'weak', score: 0.6 };
  const phrase = names.phrases.find((candidate) => contains(words, candidate));
  if (phrase !== undefined) {
    const rest = words.filter((word) => !phrase.includes(word) && !names.besides.has(word));
    if (rest.length === 0) return { kind: 'name', score: 0.9 };
    return { kind: 'beside', score: rest.some((word) => names.others.has(word)) ? 0.5 : 0.3 };
  }
  return isMisspelt(whole, names.whole) ? { kind: 'near', score: 0.7 } : undefined;
}

function contains(words: readonly string[], phrase: readonly string[]): boolean {
  const [first = ''] = phrase;
  // A short word, such as "no" or "item", says too little inside another name.
  if (phrase.length === 1 && first.length < 4) return false;
  return words.some((_, start) => phrase.every((word, offset) => words[start + offset] === word));
}

const minTypoLength = 6;

function isMisspelt(name: string, names: ReadonlySet<string>): boolean {
  if (name.length < minTypoLength) return false;
  const limit = name.length >= 9 ? 2 : 1;
  for (const known of names) {
    const isNear = Math.abs(known.length - name.length) <= limit && known.length >= minTypoLength;
    if (isNear && known[0] === name[0] && distance(name, known) <= limit) return true;
  }
  return false;
}

/** `|` separates names. */
function namesIn(lines: string | readonly string[]): string[] {
  return [lines]
    .flat()
    .flatMap((line) => line.split('|'))
    .flatMap((name) => (name.startsWith('@') ? namesIn(lists[name.slice(1)] ?? []) : normaliseWords(name)))
    .filter((name) => name !== '');
}

function wordsOf(name: string): string[] {
  return name.split(' ');
}

function joined(name: string): string {
  return name.replaceAll(' ', '');
}

const addressParts: [part: string, words: RegExp][] = [
  [
    'city',
    /city|town|хот|ciudad|localidad|cidade|ville|stadt|^ort$|città|comune|miasto|şehir|город|қала|oraș|עיר/i,
  ],
  ['postalCode', /zip|post ?code|postal|индекс|шуудан|cep|plz|postleitzahl|^cap$|posta kodu/i],
  ['country', /country|улс|страна|país|pays|land$|paese|kraj|ülke/i],
  ['district', /district|дүүрэг|сум|район|bairro|barrio|mahalle|ilçe|suburb|khoroo|хороо/i],
  ['province', /province|state|region|аймаг|область|provincia|estado|județ/i],
];

/** The part of an address that a header names; the street when it names none. */
export function addressPart(header: string): string {
  return addressParts.find(([, words]) => words.test(header))?.[0] ?? 'street';
}
