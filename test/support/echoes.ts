export const key = 'mk_7f3QxZ9b/Lw2VtR5yK8nD0sJ+hG6cA1eUiPoM4aT';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

/** What a service may make of the key in its responses. */
export const echoes: Record<string, string> = {
  plain: `Bearer ${key}`,
  'base64 of the header': base64(`Bearer ${key}`),
  'base64 of a pair': base64(`ab:${key}`),
  'base64 of the key': base64(key),
  'base64 inside a text': base64(`{"k":"${key}","n":1}`),
  base64url: Buffer.from(`user:${key}`).toString('base64url'),
  'URL-encoded': encodeURIComponent(key),
  'URL-encoded, small letters': encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  'URL-encoded letter by letter': percent(key),
  'URL-encoded twice': encodeURIComponent(encodeURIComponent(key)),
  'JSON in a text': JSON.stringify({ key: key.replaceAll('/', '\\/') }),
  'cut short': key.slice(0, -4),
  'cut short, in a word': `${key.slice(0, -3)}...`,
  'cut short, URL-encoded': encodeURIComponent(key.slice(0, -4)),
  'cut short, in base64': base64(`Bearer ${key.slice(0, -4)}`),
};

/** Reads what was written as somebody would who looks for the key, and returns the part of it that was found. */
export function keyIn(written: string): string | undefined {
  const readings = [
    written,
    written.replace(/\\u([\da-f]{4})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  ];
  // Without the end, which is shown on purpose.
  const secret = key.slice(0, -4);
  const parts = Array.from({ length: secret.length - 9 }, (_, at) => secret.slice(at, at + 10));
  for (const reading of readings) {
    const visible = reading
      .replaceAll('\\', '')
      .replace(/(?:%25)*%(?:25)*([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    const decoded = [...visible.matchAll(/[\w+/-]{16,}/g)].flatMap(([run]) =>
      [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
    );
    for (const part of parts) if ([visible, ...decoded].some((one) => one.includes(part))) return part;
  }
  return undefined;
}
