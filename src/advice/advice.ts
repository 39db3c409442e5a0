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

/** Text with commands in it, such as the next step after an error. */
export type Advice = string | readonly (string | Typed)[];

/** advice`Check the number, or run: ${command('list')}` */
export function advice(texts: TemplateStringsArray, ...values: readonly (Advice | Typed | number)[]): Advice {
  return concatenated(texts.flatMap((text, index) => [text, ...partsOf(values[index] ?? '')]));
}

export function joinAdvice(all: readonly Advice[], separator: string): Advice {
  return concatenated(
    all.flatMap((each, index) => (index === 0 ? partsOf(each) : [separator, ...partsOf(each)])),
  );
}

function partsOf(value: Advice | Typed | number): readonly (string | Typed)[] {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return [value];
  return 'kind' in value ? [value] : value;
}

function concatenated(parts: readonly (string | Typed)[]): Advice {
  return parts.every((part) => typeof part === 'string')
    ? parts.join('')
    : parts.filter((part) => part !== '');
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

export function namesFlag(given: Advice): boolean {
  return partsOf(given).some((part) => typeof part !== 'string' && part.kind === 'flag');
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
export function piecesOf(given: Advice, shell: UserShell | CommandLine): Piece[] {
  const line = 'serviceFlags' in shell ? shell : undefined;
  const parts = partsOf(given);
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

export function plainText(given: Advice, shell: UserShell | CommandLine): string {
  return typeof given === 'string' ? given : joinPieces(piecesOf(given, shell));
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
