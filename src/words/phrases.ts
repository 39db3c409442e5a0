/** Built at its first use, because no command needs all lists of words. */
export function once<Value>(build: () => Value): () => Value {
  let built: Value | undefined;
  return () => {
    built ??= build();
    return built;
  };
}

/** `a|b` in several lines → the phrases, normalised. */
export function phrasesOf(lines: readonly string[]): string[] {
  return lines.join('|').split('|').map(normaliseWords);
}

type Names<Name extends string> = Partial<Record<Name, readonly string[]>>;

/** Whole cells, by what they say; those in Mongolian in any spelling. */
export function wordsOf<Name extends string>(named: Names<Name>): (text: string) => Name | undefined {
  const names = once(() => {
    const exact = new Map<string, Name>();
    const plain = new Map<string, Name>();
    for (const [name, lines] of Object.entries(named) as [Name, readonly string[]][]) {
      for (const phrase of phrasesOf(lines)) {
        if (!exact.has(phrase)) exact.set(phrase, name);
        const spelt = spellPlainly(phrase);
        if (/[а-яөү]/.test(phrase) && !plain.has(spelt)) plain.set(spelt, name);
      }
    }
    return { exact, plain };
  });
  return (text) => names().exact.get(text) ?? names().plain.get(spellPlainly(text));
}

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;

/** Finds the phrases in a normalised text: as whole words, or anywhere in a script without spaces. */
export function finderOf(phrases: () => readonly string[]): (text: string) => boolean {
  const patterns = once(() => {
    const all = phrases();
    const inside = all.filter((phrase) => unspaced.test(phrase));
    const words = new RegExp(`(?:^| )(?:${all.join('|')})(?: |$)`);
    return { words, parts: inside.length === 0 ? undefined : new RegExp(inside.join('|')) };
  });
  return (text) => patterns().words.test(text) || patterns().parts?.test(text) === true;
}

const maxRemembered = 1000;
const maxRememberedLength = 200;

/** Cells of columns that mean something repeat, so a few results serve a whole file. */
export function remember<Result>(find: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const result = find(text);
    if (text.length > maxRememberedLength) return result;
    if (known.size === maxRemembered) known.clear();
    known.set(text, result);
    return result;
  };
}

/** Text for comparison: without case, accents and punctuation, with one space between words. */
export function normaliseWords(text: string): string {
  if (isPlain(text)) return normalisePlain(text);
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replace(/ı/g, 'i')
    .replace(/ł/g, 'l')
    .replace(/[^\p{L}\p{M}\p{N}&]+/gu, ' ')
    .trim();
}

/** Words and numbers, also those without a space between them: `12сарын25`. */
export function splitWords(text: string): string[] {
  return normaliseWords(text).match(/\p{N}+|[^\p{N} ]+/gu) ?? [];
}

/** The words of a name as programs write it too: `inStorePickup`. */
export function normaliseName(name: string): string {
  return normaliseWords(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
}

const plainText = /^[ -~А-ЯЁа-яёӨөҮү]*$/;

/** Whether a text has no other letters than those of most cells. */
export function isPlain(text: string): boolean {
  return plainText.test(text);
}

/** Without the slow rules for every script: NFKD changes only й and ё of these letters. */
function normalisePlain(text: string): string {
  return text
    .toLowerCase()
    .replace(/й/g, 'и')
    .replace(/ё/g, 'е')
    .replace(/[^a-z0-9а-яөү&]+/g, ' ')
    .trim();
}

const latin = once(
  (): Record<string, string> =>
    Object.fromEntries(
      'а=a б=b в=v г=g д=d е=e ж=j з=z и=i к=k л=l м=m н=n о=u ө=u п=p р=r с=s т=t у=u ү=u ф=f х=h ц=ts ч=ch ш=sh щ=sh ъ= ы=i ь=i э=e ю=yu я=ya'
        .split(' ')
        .map((pair) => pair.split('=') as [string, string]),
    ),
);

/**
 * A normalised text in one spelling of Mongolian for all: `төлөөгүй`, `толоогуй` and `tuluugui` are `tulugui`. There are
 * no long vowels, and `u` for о, ө, у, ү and the `v` that stands for ү. The patterns about Mongolian in words.json are in this spelling.
 */
export const spellPlainly = remember((normalised) => {
  let spelt = '';
  const letters = latin();
  for (const letter of normalised) spelt += letters[letter] ?? letter;
  return spelt
    .replace(/kh|x/g, 'h')
    .replace(/c(?!h)/g, 'ts')
    .replace(/w/g, 'v')
    .replace(/o/g, 'u')
    .replace(/(?<=[bdghjklmnprstz])v(?=[bdghjklmnprstz])|(?<!\p{L})v+(?=[bdghjklmnprstz])/gu, 'u')
    .replace(/gvi(?!\p{L})/gu, 'gui')
    .replace(/([aeiu])\1+/g, '$1');
});
