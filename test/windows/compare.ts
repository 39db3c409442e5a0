import type { Day } from './inside/day.ts';

export interface Compared {
  /** A command and its exit code, or the name of a file. */
  what: string;
  /** Empty when both systems do and say the same. */
  differences: string[];
}

/**
 * What differs from machine to machine, or from run to run, replaced by a name. In a CSV file a `'` precedes the ID of a
 * run that a spreadsheet would read as a number.
 */
function comparable(text: string, { folder, configuration, port, runs }: Day): string {
  return text
    .replaceAll(configuration, '<configuration>')
    .replaceAll(folder, '<folder>')
    .replaceAll(/(<(?:configuration|folder)>)[\\/]/g, '$1/')
    .replaceAll(/["'](<folder>[^"'\n]*)["']/g, '$1')
    .replaceAll(`127.0.0.1:${port}`, '<address>')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uuid>')
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?Z?)?/g, '<time>')
    .replaceAll(/\btoday \d\d:\d\d\b/g, '<time>')
    .replaceAll(new RegExp(`(?:(?<=,)')?(?:${runs.join('|')})`, 'g'), '<run>')
    .replaceAll(/…\w{4}/g, '…<key>')
    .replaceAll(/\b\d+ MB are free/g, '<size> are free')
    .replaceAll(/version \d+\.\d+\.\d+/g, 'version <version>')
    .replaceAll(/(?<=^| )\d+(?:\.\d+)? m?s\b/gm, '<duration>');
}

export function compareDays(linux: Day, windows: Day): Compared[] {
  const compared = linux.steps.map((step, index): Compared => {
    const other = windows.steps[index];
    const differences = (['stdout', 'stderr', 'exitCode'] as const).flatMap((what) => {
      const texts = [comparable(String(step[what]), linux), comparable(String(other?.[what]), windows)];
      return differencesOf(what, texts[0] ?? '', texts[1] ?? '');
    });
    return { what: `${step.exitCode}  ${comparable(step.command, linux)}`, differences };
  });
  const names = [...new Set([...Object.keys(linux.files), ...Object.keys(windows.files)])].sort();
  const files = names.map((name): Compared => {
    const [here, there] = [linux, windows].map((day) => {
      const text = day.files[name];
      return text === undefined ? 'there is no such file' : comparable(text, day);
    });
    return { what: `file  ${name}`, differences: differencesOf('content', here ?? '', there ?? '') };
  });
  return [...compared, ...files];
}

function differencesOf(what: string, linux: string, windows: string): string[] {
  if (linux === windows) return [];
  const [here, there] = [linux, windows].map((text) => text.split('\n'));
  const index = here?.findIndex((line, number) => line !== there?.[number]) ?? 0;
  const place = index === -1 ? (here?.length ?? 0) : index;
  return [
    `${what}, line ${place + 1}`,
    `  Linux:   ${JSON.stringify(here?.[place])}`,
    `  Windows: ${JSON.stringify(there?.[place])}`,
  ];
}
