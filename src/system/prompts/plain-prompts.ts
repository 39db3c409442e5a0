import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { readYesNo, yesNoProblem } from '../../import/words/yes-no.ts';
import { type Choice, createTypeAhead, PromptLeft, type Prompts, type Question } from './prompts.ts';

/** Questions for screen readers, like the accessible prompter of `gh`: nothing is redrawn. Rejects with `PromptLeft` also at the end of the input. */
export function createPlainPrompts(input: Readable, output: Writable): Prompts {
  const withKeys = createTypeAhead(input);
  const show = (text: string) => void output.write(text);
  const ask = async <Answer>(
    question: string,
    read: (line: string) => { answer: Answer } | { problem: string },
    isSecret = false,
  ): Promise<Answer> => {
    for (;;) {
      show(question.endsWith('?') ? `${question} ` : `${question}: `);
      const line = await withKeys((keys) => readLine(keys, isSecret)).catch((error: unknown) => {
        show('\n'); // So that what follows begins on a new line.
        throw error;
      });
      if (isSecret) show('\n');
      const found = read(line.trim());
      if ('answer' in found) return found.answer;
      show(`${found.problem}\n`);
    }
  };
  const checked = (check: Question['check']) => (answer: string) => {
    const problem = check?.(answer);
    return problem === undefined ? { answer } : { problem };
  };
  return {
    text: ({ message, preset, check }) => {
      const hint = preset === undefined ? '' : ` (Enter takes ${preset})`;
      return ask(`${message}${hint}`, (line) => checked(check)(line === '' ? (preset ?? '') : line));
    },
    secret: ({ message, check }) => ask(`${message} (not shown while you type)`, checked(check), true),
    confirm: (message, preset = false, verb) =>
      ask(`${message} Type y or n (Enter takes ${preset ? 'y' : 'n'})`, (line) => {
        const answer = line === '' ? preset : readYesNo(line, verb);
        return answer === undefined ? { problem: yesNoProblem } : { answer };
      }),
    choose: (message, choices, preset) => {
      show(`${message}\n${choices.map(formatChoice).join('')}`);
      const marked = choices.findIndex(({ value }) => value === preset) + 1;
      const hint = marked > 0 ? ` (Enter takes ${marked})` : '';
      const range = `a number from 1 to ${choices.length}`;
      return ask(`Type ${range}${hint}`, (line) => {
        const number = line === '' ? marked : Number(/^\d{1,6}$/.exec(line)?.[0]);
        const choice = choices[number - 1];
        return choice === undefined ? { problem: `Please type ${range}.` } : { answer: choice.value };
      });
    },
    chooseSeveral: (message, choices) => {
      show(`${message}\n${choices.map(formatChoice).join('')}`);
      const ticked = choices.flatMap(({ isTicked }, index) => (isTicked ? [index + 1] : []));
      const help = `numbers from 1 to ${choices.length}, or none`;
      return ask(`Type ${help} (Enter takes ${ticked.join(' ') || 'none'})`, (line) => {
        const numbers = line === '' ? ticked : line === 'none' ? [] : line.split(/[\s,]+/).map(Number);
        const chosen = numbers.flatMap((number) => choices[number - 1]?.value ?? []);
        return chosen.length < numbers.length ? { problem: `Please type ${help}.` } : { answer: chosen };
      });
    },
  };
}

function formatChoice({ name, description }: Choice, index: number): string {
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
