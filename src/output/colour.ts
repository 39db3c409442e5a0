import { Chalk } from 'chalk';

export interface ColourFacts {
  env: Record<string, string | undefined>;
  isTerminal: boolean;
  /** `--no-color` was given. */
  noColourFlag: boolean;
}

/** Whether a stream gets colour. chalk itself knows nothing of NO_COLOR and CLICOLOR. */
export function colourLevel({ env, isTerminal, noColourFlag }: ColourFacts): boolean {
  if (noColourFlag || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  if (env.CLICOLOR === '0' || env.TERM === 'dumb') return false;
  return isTerminal;
}

/** The same for both streams of a program. */
export function streamColours(
  env: ColourFacts['env'],
  terminal: { stdout: boolean; stderr: boolean },
  noColourFlag: boolean,
): { out: boolean; err: boolean } {
  const level = (isTerminal: boolean) => colourLevel({ env, isTerminal, noColourFlag });
  return { out: level(terminal.stdout), err: level(terminal.stderr) };
}

type Paint = (text: string) => string;

export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  cyan: Paint;
}

/** The palette. The print sink lets exactly these codes pass. */
export function createStyle(on: boolean): Style {
  const chalk = new Chalk({ level: on ? 1 : 0 });
  // chalk joins all arguments: handed to `map` as it is, it would print the index as well.
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  };
}
