import { Chalk } from 'chalk';

interface ColourOptions {
  env: Record<string, string | undefined>;
  isTerminal: boolean;
  noColourFlag: boolean;
}

/** chalk itself does not read NO_COLOR and CLICOLOR. */
export function hasColour({ env, isTerminal, noColourFlag }: ColourOptions): boolean {
  if (noColourFlag || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  if (env.CLICOLOR === '0' || env.TERM === 'dumb') return false;
  return isTerminal;
}

export function streamColours(
  env: ColourOptions['env'],
  terminal: { stdout: boolean; stderr: boolean },
  noColourFlag: boolean,
): { out: boolean; err: boolean } {
  const isOn = (isTerminal: boolean) => hasColour({ env, isTerminal, noColourFlag });
  return { out: isOn(terminal.stdout), err: isOn(terminal.stderr) };
}

type Paint = (text: string) => string;

export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
}

/** Exactly these styles get through the print sink. */
export function createStyle(on: boolean): Style {
  const chalk = new Chalk({ level: on ? 1 : 0 });
  // chalk joins all its arguments: passed to `map`, it would print the index too.
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
  };
}
