import { formatCommandLine, type UserShell } from './command-line.ts';

/** Something to type, kept as words until it is shown. */
export interface Typed {
  /**
   * `command`: of this program, for the service of this run; `complete`: of this program, as it is; `again`: the
   * command line of this run with these flags added; `shell`: of another program; `flag`: a flag of this program.
   */
  kind: 'command' | 'complete' | 'again' | 'shell' | 'flag';
  words: readonly string[];
}

/** What the program says, kept as data until it is shown, since a terminal may show it in another language than a file. */
export type Text = string | Sentence;

/** A list is shown with commas. */
type Value = Text | Typed | number | readonly string[] | ((say: Say) => string);

/** A template and what stands in its places. As a string, and in JSON, it is English. */
export class Sentence {
  readonly texts: readonly string[];
  readonly values: readonly Value[];

  constructor(texts: readonly string[], values: readonly Value[]) {
    this.texts = texts;
    this.values = values;
  }

  /** `Created {0} ({1}).` */
  get template(): string {
    return this.texts.reduce((before, text, index) => `${before}{${index - 1}}${text}`);
  }

  toString(): string {
    return plainText(this, { isWindows: false });
  }

  toJSON(): string {
    return String(this);
  }
}

/** A language other than English: its sentence for each template, with the same places. */
export interface Language {
  code: 'mn';
  sentences: Readonly<Record<string, string>>;
}

/** Writes a text in one language. */
export interface Say {
  (text: Text): string;
  /** Without `again`, as the text. */
  pieces(text: Text): Piece[];
  language: 'en' | Language['code'];
}

export function createSay(shell: UserShell, language?: Language): Say {
  return Object.assign((text: Text) => plainText(text, shell, language), {
    pieces: (text: Text) => piecesOf(text, shell, language),
    language: language?.code ?? ('en' as const),
  });
}

export const sayInEnglish: Say = createSay({ isWindows: false });

/** A sentence of both languages: t`Cancelled ${count} {order|orders} (${label}).` */
export function t(texts: TemplateStringsArray, ...values: readonly Value[]): Sentence {
  return new Sentence(texts, values);
}

/** A text of English alone with commands in it: advice`Check the number, or run: ${command('list')}` */
export function advice(texts: TemplateStringsArray, ...values: readonly Value[]): Text {
  const sentence = new Sentence(texts, values);
  const isPlain = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return isPlain ? String(sentence) : sentence;
}

export function capitalised(text: Text): Text {
  const upper = (shown: string) => `${shown.charAt(0).toUpperCase()}${shown.slice(1)}`;
  return new Sentence(['', ''], [(say) => upper(say(text))]);
}

export function joinTexts(all: readonly (Text | Typed)[], separator: string): Text {
  if (all.every((text) => typeof text === 'string')) return all.join(separator);
  return new Sentence(['', ...all.slice(1).map(() => separator), ''], all);
}

/** A text as JSON, which can be said in any language later. */
export type StoredText =
  | string
  | number
  | readonly string[]
  | Typed
  | { texts: readonly string[]; values: StoredText[] };

export function storeText(value: Value): StoredText {
  if (typeof value === 'function') return value(sayInEnglish);
  if (!(value instanceof Sentence)) return value;
  return { texts: value.texts, values: value.values.map(storeText) };
}

export function restoreText(stored: StoredText): Text {
  const restored = (value: StoredText) =>
    typeof value === 'object' && 'texts' in value ? restoreText(value) : value;
  if (typeof stored !== 'object') return String(stored);
  if (!('texts' in stored)) return new Sentence(['', ''], [stored]);
  return new Sentence(stored.texts, stored.values.map(restored));
}

type Part = string | Typed;

function partsOf(value: Value, shell: UserShell, language: Language | undefined): readonly Part[] {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && 'length' in value) return [value.join(', ')];
  if (typeof value === 'function') return [value(createSay(shell, language))];
  if (!(value instanceof Sentence)) return [value];
  const { texts, values } = value;
  const spoken = language?.sentences[value.template];
  const parts =
    spoken === undefined
      ? texts.flatMap((text, index) => [inNumber(text, values, index), values[index] ?? ''])
      : spoken
          .split(/\{(\d+)\}/)
          .map((part, index) => (index % 2 === 0 ? part : (values[Number(part)] ?? '')));
  return parts.filter((part) => part !== '').flatMap((part) => partsOf(part, shell, language));
}

/**
 * `{order|orders}`, as the last number before it is 1 or another one, which `formatCount` may have written, or else the
 * first after it. A list counts as its length. Languages that need one form have none.
 */
function inNumber(text: string, values: readonly Value[], index: number): string {
  if (!text.includes('|')) return text;
  const counts = values.map(countOf);
  const isCount = (count: number | undefined) => count !== undefined;
  const count = counts.slice(0, index).findLast(isCount) ?? counts.find(isCount);
  const isOne = values[index - 1] === '1' || count === 1;
  return text.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, (_, one: string, many: string) => (isOne ? one : many));
}

function countOf(value: Value): number | undefined {
  if (typeof value === 'object' && 'length' in value) return value.length;
  return typeof value === 'number' ? value : undefined;
}

export function command(...words: readonly string[]): Typed {
  return { kind: 'command', words };
}

export function completeCommand(words: readonly string[]): Typed {
  return { kind: 'complete', words };
}

/** Printed on its own line below the text. Without flags it is left out when the text names another command. */
export function again(...flags: readonly string[]): Typed {
  return { kind: 'again', words: flags };
}

export function shellCommand(text: string): Typed {
  return { kind: 'shell', words: [text] };
}

export function flag(...words: readonly string[]): Typed {
  return { kind: 'flag', words };
}

export function namesFlag(given: Text): boolean {
  const parts = partsOf(given, { isWindows: false }, undefined);
  return parts.some((part) => typeof part !== 'string' && part.kind === 'flag');
}

export interface CommandLine extends UserShell {
  args: readonly string[];
  serviceFlags: readonly (readonly string[])[];
}

export interface Piece {
  text: string;
  isCommand: boolean;
}

/** Without the command line of this run, `again` is left out, and commands get no service flags. */
export function piecesOf(given: Text, shell: UserShell | CommandLine, language?: Language): Piece[] {
  const line = 'serviceFlags' in shell ? shell : undefined;
  const parts = partsOf(given, shell, language);
  const typed = parts.filter((part) => typeof part !== 'string');
  const namesCommand = typed.some(({ kind }) => kind === 'command' || kind === 'complete');
  const ways = typed.filter(({ kind, words }) => kind === 'again' && (words.length > 0 || !namesCommand));
  const repeated = new Set(
    line === undefined ? [] : ways.map(({ words }) => formatCommandLine([...line.args, ...words], shell)),
  );
  return [
    ...parts.flatMap((part): Piece[] => {
      if (typeof part === 'string') return [{ text: part, isCommand: false }];
      if (part.kind === 'again') return [];
      return [{ text: formatTyped(part, shell, line), isCommand: part.kind !== 'flag' }];
    }),
    ...[...repeated].flatMap((text): Piece[] => [
      { text: '\n  ', isCommand: false },
      { text, isCommand: true },
    ]),
  ];
}

export function plainText(given: Text, shell: UserShell | CommandLine, language?: Language): string {
  return typeof given === 'string' ? given : joinPieces(piecesOf(given, shell, language));
}

export function linesOf(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const { text, isCommand } of pieces) {
    const [first = '', ...others] = text.split('\n');
    lines.at(-1)?.push({ text: first, isCommand });
    for (const line of others) lines.push([{ text: line, isCommand }]);
  }
  return lines;
}

export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

function formatTyped({ kind, words }: Typed, shell: UserShell, line: CommandLine | undefined): string {
  if (kind === 'shell' || kind === 'flag') return words.join(' ');
  // The profiles are the same for every service, and the one of the flags may not exist.
  const isForAll = kind === 'complete' || words[0] === 'profiles';
  const flags = isForAll ? [] : (line?.serviceFlags ?? []);
  return formatCommandLine([...flags.filter(([name = '']) => !words.includes(name)).flat(), ...words], shell);
}

interface ServiceSettings {
  sandbox: boolean;
  profile: { value: string; source: string } | undefined;
  baseUrl: { value: string; source: string } | undefined;
}

/** A command for the service of these settings, where `command` knows only the flags of this run. */
export function commandFor({ settings }: { settings: ServiceSettings }, words: readonly string[]): Typed {
  const named = ([name, setting]: [string, ServiceSettings['profile']]) =>
    setting?.source === 'flag' ? [name, setting.value] : [];
  const service = settings.sandbox
    ? ['--sandbox']
    : [...named(['--profile', settings.profile]), ...named(['--base-url', settings.baseUrl])];
  return completeCommand([...service, ...words]);
}
