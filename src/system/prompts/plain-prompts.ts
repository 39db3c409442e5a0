import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { type Say, sayInEnglish, type Text, t } from '../../advice/advice.ts';
import { PromptLeft } from '../../errors.ts';
import { type Choice, createTypeAhead, nothingTicked, type Prompts, type Question } from './prompts.ts';

/** Questions for screen readers, like the accessible prompter of `gh`: nothing is redrawn. Rejects with `PromptLeft` also at the end of the input. */
export function createPlainPrompts(input: Readable, output: Writable, say: Say = sayInEnglish): Prompts {
  const withKeys = createTypeAhead(input);
  const show = (text: string) => void output.write(text);
  const ask = async <Answer>(
    asked: Text,
    read: (line: string) => { answer: Answer } | { problem: Text },
    isSecret = false,
  ): Promise<Answer> => {
    const question = say(asked);
    for (;;) {
      show(question.endsWith('?') ? `${question} ` : `${question}: `);
      const line = await withKeys((keys) => readLine(keys, isSecret)).catch((error: unknown) => {
        show('\n'); // So that what follows begins on a new line.
        throw error;
      });
      if (isSecret) show('\n');
      const found = read(line.trim());
      if ('answer' in found) return found.answer;
      show(`${say(found.problem)}\n`);
    }
  };
  const checked = (check: Question['check']) => (answer: string) => {
    const problem = check?.(answer);
    return problem === undefined ? { answer } : { problem };
  };
  const listed = ({ name, description }: Choice, index: number) =>
    formatChoice(say(name), description && say(description), index);
  return {
    text: ({ message, preset, check }) => {
      const question = preset === undefined ? message : t`${message} (Enter takes ${preset})`;
      return ask(question, (line) => checked(check)(line === '' ? (preset ?? '') : line));
    },
    secret: ({ message, check }) => ask(t`${message} (not shown while you type)`, checked(check), true),
    confirm: async (message, preset = false, verb) => {
      const { readYesNo, yesNoProblem } = await import('../../words/yes-no.ts');
      return ask(
        preset ? t`${message} Type y or n (Enter takes y)` : t`${message} Type y or n (Enter takes n)`,
        (line) => {
          const answer = line === '' ? preset : readYesNo(line, verb);
          return answer === undefined ? { problem: yesNoProblem } : { answer };
        },
      );
    },
    choose: (message, choices, preset) => {
      show(`${say(message)}\n${choices.map(listed).join('')}`);
      const marked = choices.findIndex(({ value }) => value === preset) + 1;
      const last = choices.length;
      const question =
        marked > 0
          ? t`Type a number from 1 to ${last} (Enter takes ${marked})`
          : t`Type a number from 1 to ${last}`;
      return ask(question, (line) => {
        const number = line === '' ? marked : Number(/^\d{1,6}$/.exec(line)?.[0]);
        const choice = choices[number - 1];
        return choice === undefined
          ? { problem: t`Please type a number from 1 to ${last}.` }
          : { answer: choice.value };
      });
    },
    chooseSeveral: (message, choices, needsOne = false) => {
      show(`${say(message)}\n${choices.map(listed).join('')}`);
      const ticked = choices.flatMap(({ isTicked }, index) => (isTicked ? [index + 1] : []));
      const last = choices.length;
      const taken = ticked.join(' ') || 'none';
      return ask(t`Type numbers from 1 to ${last}, or none (Enter takes ${taken})`, (line) => {
        const numbers = line === '' ? ticked : line === 'none' ? [] : line.split(/[\s,]+/).map(Number);
        const chosen = numbers.flatMap((number) => choices[number - 1]?.value ?? []);
        if (chosen.length < numbers.length)
          return { problem: t`Please type numbers from 1 to ${last}, or none.` };
        return needsOne && chosen.length === 0 ? { problem: nothingTicked } : { answer: chosen };
      });
    },
  };
}

function formatChoice(name: string, description: string | undefined, index: number): string {
  const lines = description === undefined ? [] : description.split('\n').map((line) => `   ${line}`);
  return [`${index + 1}. ${name}`, ...lines, ''].join('\n');
}

function readLine(keys: Readable, isSecret: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: keys, output: hidden, terminal: isSecret });
    lines.once('line', resolve).once('line', () => lines.close());
    lines.once('close', () => reject(new PromptLeft()));
  });
}
