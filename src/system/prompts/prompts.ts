import type { Readable, Writable } from 'node:stream';

/** Questions at a terminal, drawn on stderr. Each rejects with `PromptLeft` after Ctrl-C. */
export interface Prompts {
  text(question: Question): Promise<string>;
  secret(question: Pick<Question, 'message' | 'check'>): Promise<string>;
  confirm(message: string, preset?: boolean): Promise<boolean>;
  /** `preset` is the choice that is marked first. */
  choose<Value extends string>(
    message: string,
    choices: readonly Choice<Value>[],
    preset?: Value,
  ): Promise<Value>;
}

export interface Question {
  message: string;
  preset?: string;
  check?: (answer: string) => string | undefined;
}

export interface Choice<Value extends string = string> {
  value: Value;
  name: string;
  /** What is shown as the answer, instead of the name. */
  short?: string;
  /** What is shown below the choices while this one is marked. */
  description?: string;
}

/** With the question and a description on a screen of 24 lines. */
const maxChoices = 15;

export class PromptLeft extends Error {}

export function createPrompts(input: Readable, output: Writable, stopping: AbortSignal): Prompts {
  const streams = { input, output, signal: stopping };
  const ask = async <Answer>(question: (prompts: typeof import('./inquirer.ts')) => Promise<Answer>) => {
    try {
      const prompts = await import('./inquirer.ts');
      if (!stopping.aborted) return await question(prompts);
      throw new PromptLeft();
    } catch (error) {
      if (error instanceof Error && /^(?:Exit|Abort)PromptError$/.test(error.name)) throw new PromptLeft();
      throw error;
    }
  };
  const validate = (check: Question['check']) => (answer: string) => check?.(answer.trim()) ?? true;
  return {
    text: ({ message, preset, check }) =>
      ask(async ({ input }) => {
        const options = {
          message,
          validate: validate(check),
          ...(preset === undefined ? {} : { default: preset }),
        };
        return (await input(options, streams)).trim();
      }),
    secret: ({ message, check }) =>
      ask(async ({ password }) => {
        return (await password({ message, mask: '*', validate: validate(check) }, streams)).trim();
      }),
    confirm: (message, preset = false) =>
      ask(({ confirm }) => confirm({ message, default: preset }, streams)),
    choose: (message, choices, preset) =>
      ask(({ select }) => {
        const options = { message, choices: [...choices], pageSize: maxChoices, loop: false };
        return select({ ...options, ...(preset === undefined ? {} : { default: preset }) }, streams);
      }),
  };
}
