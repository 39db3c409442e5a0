import fc from 'fast-check';

/** Text that must never reach a terminal, each with what remains after cleaning. */
export const hostileTexts: [name: string, text: string, cleaned: string][] = [
  ['a colour', 'a\u001b[31mb\u001b[0mc', 'abc'],
  ['our own palette', '\u001b[1mbold\u001b[22m \u001b[32mgreen\u001b[39m', 'bold green'],
  ['a colour with colons', 'a\u001b[38:2:255:0:0mb', 'ab'],
  ['clear screen and cursor moves', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['a private mode', 'a\u001b[?25lb', 'ab'],
  ['a terminal title', 'a\u001b]0;owned\u0007b', 'ab'],
  ['a link', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['the clipboard', 'a\u001b]52;c;cm0gLXJm\u001b\\b', 'ab'],
  ['a device string', 'a\u001bPq#0;2;0\u001b\\b', 'ab'],
  ['an unfinished title', 'a\u001b]0;rest stays', 'a0;rest stays'],
  ['an unfinished colour', 'a\u001b[31', 'a31'],
  ['a lone escape', 'a\u001b', 'a'],
  ['an escape before an escape', 'a\u001b\u001b[31m[31mb', 'a[31mb'],
  ['a character set', 'a\u001b(0b', 'ab'],
  ['8-bit colour', 'a\u009b31mb', 'ab'],
  ['8-bit title', 'a\u009d0;owned\u009cb', 'ab'],
  ['C1 controls', 'a\u0085\u008db', 'ab'],
  ['C0 controls', 'a\u0000\u0007\u0008\u000b\u000cb\u007f', 'ab'],
  ['text turned around', 'invoice\u202efdp.exe\u202c', 'invoicefdp.exe'],
  ['isolates and marks', '\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061cd', 'abcd'],
  ['zero width', '\ufeffa\u200bb\u200cc\u200dd\u2060e\u2064f\u180eg\u00adh\u034fi', 'abcdefghi'],
  ['blank letters', '\u115fa\u3164b\uffa0c\u17b4', 'abc'],
  ['tags', 'a\u{e0001}\u{e0041}\u{e007f}b', 'ab'],
  ['hidden selectors', 'a\u{e0100}\u{e01ef}b', 'ab'],
  ['annotations', 'a\ufff9b\ufffac\ufffbd', 'abcd'],
];

export const forbidden =
  /(?![\n\t])\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

/** What neither a terminal nor a program may get. */
export const forbiddenInData =
  /(?![\n\t])\p{Cc}|[\p{Bidi_Control}\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** Strings with fragments of terminal control sequences. */
export const hostileString = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u001b', '[', ']', '31m', '0', ';', 'm', '\\', '\u0007', '\u009b', '\u009c', '\u009d'),
      fc.constantFrom(
        '\r',
        '\n',
        '\t',
        '\u202e',
        '\ufeff',
        '\u200d',
        '\u{e0041}',
        'P',
        ' ',
        'ө',
        '₮',
        '\u001b[1m',
        '\u001b[39m',
      ),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((pieces) => pieces.join(''));
