import { PassThrough, type Readable, type Writable } from 'node:stream';
import { stripVTControlCharacters, styleText } from 'node:util';
import { type Say, sayInEnglish, type Text, t } from '../../advice/advice.ts';
import { PromptLeft } from '../../errors.ts';
import { widthOf } from '../../text-width.ts';
import type { AskedVerb } from '../../words/yes-no.ts';

/** Drawn on stderr. Each rejects with `PromptLeft` after Ctrl-C. */
export interface Prompts {
  text(question: Question): Promise<string>;
  secret(question: Pick<Question, 'message' | 'check'>): Promise<string>;
  /** `verb`: what the question asks, which answers it as well: `цуцал` at a question about cancelling. */
  confirm(message: Text, preset?: boolean, verb?: AskedVerb): Promise<boolean>;
  choose<Value extends string>(
    message: Text,
    choices: readonly Choice<Value>[],
    /** `null`: Enter alone keeps the question. */
    preset?: Value | null,
  ): Promise<Value>;
  /** Any number of the choices; `needsOne`: at least one. */
  chooseSeveral<Value extends string>(
    message: Text,
    choices: readonly (Choice<Value> & { isTicked: boolean })[],
    needsOne?: boolean,
  ): Promise<Value[]>;
}

export interface Question {
  message: Text;
  preset?: string | undefined;
  check?: (answer: string) => Text | undefined;
}

export interface Choice<Value extends string = string> {
  value: Value;
  name: Text;
  short?: Text;
  description?: Text;
}

/** Leaves room for the question and a description on 24 lines. */
const maxChoices = 15;
const maxPasted = 20;
const maxPastedLength = 200;

// What is pasted comes between these once a terminal was asked for it; others ignore that.
const esc = '\u001b';
const [markPastes, leavePastes] = [`${esc}[?2004h`, `${esc}[?2004l`];
const [pasteStart, pasteEnd] = [`${esc}[200~`, `${esc}[201~`];

/**
 * Keeps what is typed before a question is shown, which Inquirer would discard: each question gets the keys up to Enter,
 * and more only while it stays open. Of what is pasted it gets the first line, and `showRest` the others. Ctrl-C goes first.
 */
export function createTypeAhead(input: Readable & { setRawMode?: (isRaw: boolean) => unknown }) {
  let typed = '';
  return async <Answer>(
    ask: (keys: Readable) => Promise<Answer>,
    showRest?: (lines: string[]) => void,
  ): Promise<Answer> => {
    const setRawMode = (isRaw: boolean) => input.setRawMode?.(isRaw);
    const keys = Object.assign(new PassThrough(), { setRawMode });
    let [mayPass, isDone] = [true, false];
    const rest: string[] = [];
    const firstLine = (pasted: string) => {
      const [first = '', ...others] = pasted.split(/[\r\n]+/).filter((line) => line.trim() !== '');
      const texts = others.map((line) => stripVTControlCharacters(Buffer.from(line, 'latin1').toString()));
      rest.push(...texts.map((line) => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, ' ')));
      // Inquirer would take a tab as a key.
      return first.replaceAll('\t', ' ');
    };
    const withFirstLines = (text: string) => {
      const [before = '', ...pastes] = text.split(pasteStart);
      const read = pastes.map((paste) => {
        const end = paste.indexOf(pasteEnd);
        return end < 0
          ? pasteStart + paste
          : firstLine(paste.slice(0, end)) + paste.slice(end + pasteEnd.length);
      });
      return before + read.join('');
    };
    const pass = (isOpen = mayPass) => {
      mayPass = isOpen;
      const [ready = ''] = typed.split(pasteStart, 1);
      if (!mayPass || isDone || ready === '') return;
      const line = /^[^\r\n]*(?:\r\n?|\n)/.exec(ready)?.[0];
      const next = line ?? ready;
      typed = typed.slice(next.length);
      mayPass = line === undefined;
      keys.write(next, 'latin1');
      // By then the prompt has accepted the answer or shown what is wrong with it.
      if (!mayPass) setImmediate(pass, true);
    };
    const take = (chunk: Buffer) => {
      const bytes = chunk.toString('latin1');
      typed = bytes.includes('\u0003') ? '\u0003' : withFirstLines(typed + bytes);
      pass();
    };
    const end = () => {
      isDone = true;
      keys.end();
    };
    const events = { data: take, end, close: end, error: end };
    for (const [event, listener] of Object.entries(events)) input.on(event, listener);
    if (input.destroyed) end();
    input.resume();
    try {
      const answer = ask(keys);
      pass();
      return await answer;
    } finally {
      isDone = true;
      for (const [event, listener] of Object.entries(events)) input.off(event, listener);
      input.pause();
      if (rest.length > 0) showRest?.(rest);
    }
  };
}

/** Wrapped between words; leaves room for `suffix`, which the prompt adds on the line of the last word. */
function wrapMessage(
  message: string,
  suffix: string,
  output: Writable & { columns?: number },
  reserved = markAndAnswerWidth,
): string {
  const width = (output.columns ?? 80) - reserved;
  const end = suffix === '' ? '' : ` ${suffix}`;
  const words = message.split(' ');
  words.push(`${words.pop()}${end}`);
  const wrapped = words.reduce((text, word) => {
    const line = `${text.slice(text.lastIndexOf('\n') + 1)} ${word.split('\n', 1)[0]}`;
    return `${text}${widthOf(line) > width ? '\n' : ' '}${word}`;
  });
  return wrapped.slice(0, wrapped.length - end.length);
}

const markAndAnswerWidth = 4;
/** The mark before a choice or a problem, and one free column. */
const markWidth = 3;

const whyOpen = t`Enter alone chooses none of these. Choose one with the arrow keys.`;
export const nothingTicked = t`Tick at least one with the space bar: the file does not prove which are right.`;

/** What Inquirer says of the keys below a list. */
const keyActions: Record<string, Text> = {
  space: t`space`,
  navigate: t`navigate`,
  select: t`select`,
  submit: t`submit`,
  all: t`all`,
  invert: t`invert`,
  'toggle visibility': t`toggle visibility`,
};

export function createPrompts(
  input: Readable,
  output: Writable,
  stopping: AbortSignal,
  say: Say = sayInEnglish,
): Prompts {
  const withKeys = createTypeAhead(input);
  type Streams = { input: Readable; output: Writable; signal: AbortSignal };
  type Inquirer = typeof import('./inquirer.ts');
  const ask = async <Answer>(
    question: (prompts: Inquirer, streams: Streams) => Promise<Answer>,
    isSecret = false,
  ) => {
    try {
      const prompts = await import('./inquirer.ts');
      if (stopping.aborted) throw new PromptLeft();
      output.write(markPastes);
      const withStreams = (keys: Readable) => question(prompts, { input: keys, output, signal: stopping });
      return await withKeys(withStreams, isSecret ? undefined : showRest);
    } catch (error) {
      if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) throw new PromptLeft();
      throw error;
    } finally {
      output.write(leavePastes);
    }
  };
  const showRest = (lines: string[]) => {
    const shown = lines.slice(0, maxPasted).map((line) => `\n  ${line.slice(0, maxPastedLength)}`);
    const why = t`Only the first line of what was pasted is the answer. These were not used:`;
    output.write(`${wrap(why)}${shown.join('')}\n`);
  };
  const wrap = (message: Text, suffix = '') => wrapMessage(say(message), suffix, output);
  /** Inquirer would leave what was wrong on the screen when Enter alone answers after it. */
  const checking = (check: (answer: string) => Text | undefined = () => undefined) => {
    let problem: Text | undefined;
    return {
      validate: (answer: string) => {
        problem = check(answer);
        return problem === undefined || say(problem);
      },
      error: () => (problem === undefined ? '' : styleText('red', `> ${indented(problem)}`)),
    };
  };
  const trimming = (check: Question['check']) => checking((answer) => check?.(answer.trim()));
  /** Inquirer would break it within a word. */
  const indented = (text: Text) => wrapMessage(say(text), '', output, markWidth).replaceAll('\n', '\n  ');
  const shownChoice =
    (message: string) =>
    <Value extends string>({ name, short, description, ...choice }: Choice<Value>) => ({
      ...choice,
      name: indented(name),
      // Follows the message once it is chosen.
      short: wrapMessage(`${message} ${say(short ?? name)}`, '', output)
        .slice(message.length)
        .replace(/^ /, ''),
      ...(description === undefined ? {} : { description: wrap(description) }),
    });
  const keysHelpTip = (keys: [key: string, action: string][]) =>
    keys
      .map(
        ([key, action]) =>
          `${styleText('bold', say(keyActions[key] ?? key))} ${styleText('dim', say(keyActions[action] ?? action))}`,
      )
      .join(styleText('dim', ' • '));
  const theme = { style: { keysHelpTip } };
  return {
    text: ({ message, preset, check }) =>
      ask(async ({ input }, streams) => {
        const shown = wrap(message, preset === undefined ? '' : `(${preset})`);
        const { validate, error } = trimming(check);
        const options = { message: shown, validate, theme: { style: { error } } };
        const answer = await input(preset === undefined ? options : { ...options, default: preset }, streams);
        return answer.trim();
      }),
    secret: ({ message, check }) =>
      ask(async ({ password }, streams) => {
        const { validate, error } = trimming(check);
        const options = {
          message: wrap(message),
          mask: '*',
          validate,
          theme: { style: { error, keysHelpTip } },
        };
        return (await password(options, streams)).trim();
      }, true),
    confirm: (message, preset = false, verb) =>
      ask(async ({ input }, streams) => {
        const { readYesNo, yesNoProblem } = await import('../../words/yes-no.ts');
        const hint = say(preset ? t`Y/n` : t`y/N`);
        const read = (text: string) => (['', hint].includes(text) ? preset : readYesNo(text, verb));
        const { validate, error } = checking((text) => (read(text) === undefined ? yesNoProblem : undefined));
        const answer = await input(
          {
            message: wrap(message, `(${hint})`),
            default: hint,
            validate,
            theme: { validationFailureMode: 'clear', style: { error } },
            transformer: (text, { isFinal }) =>
              isFinal ? styleText('cyan', say(read(text) ? t`Yes` : t`No`)) : text,
          },
          streams,
        );
        return read(answer) === true;
      }),
    choose: async <Value extends string>(
      message: Text,
      choices: readonly Choice<Value>[],
      preset?: Value | null,
    ) => {
      const open = { value: '' as Value, name: t`please choose`, description: whyOpen };
      const listed = preset === null ? [open, ...choices] : choices;
      for (;;) {
        const answer = await ask<Value>(({ select }, streams) => {
          const wrapped = wrap(message);
          const shown = listed.map(shownChoice(wrapped)<Value>);
          const options = { message: wrapped, choices: shown, pageSize: maxChoices, loop: false, theme };
          return select(preset == null ? options : { ...options, default: preset }, streams);
        });
        if (preset !== null || answer !== open.value) return answer;
      }
    },
    chooseSeveral: (message, choices, needsOne = false) =>
      ask(({ checkbox }, streams) => {
        const shown = choices.map(({ isTicked, ...choice }) => ({
          ...shownChoice('')(choice),
          checked: isTicked,
        }));
        const validate = (chosen: readonly unknown[]) =>
          !needsOne || chosen.length > 0 || indented(nothingTicked);
        return checkbox(
          { message: wrap(message), choices: shown, pageSize: maxChoices, loop: false, theme, validate },
          streams,
        );
      }),
  };
}
