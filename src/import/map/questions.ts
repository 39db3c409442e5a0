import { advice, again } from '../../advice/advice.ts';
import { CliError, type ErrorIssue } from '../../errors.ts';
import { isJsonObject, type Json } from '../../orders/json.ts';

/** Whether a text of a mapping file is an open question of a draft: `? Phone | Mobile`. */
function isQuestion(text: string): boolean {
  return text === '?' || text.startsWith('? ');
}

export function questionsIn(value: Json, path: readonly string[] = []): ErrorIssue[] {
  if (typeof value === 'string') return isQuestion(value) ? [questionAt(value, path)] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => questionsIn(item, [...path, `${index}`]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => questionsIn(inner, [...path, key]));
}

function questionAt(value: string, path: readonly string[]): ErrorIssue {
  const choices = value
    .slice(2)
    .split(' | ')
    .filter((choice) => choice !== '');
  const isColumn = path[0] === 'columns';
  const message =
    choices.length > 1
      ? `choose ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, and write only that`
      : choices.length === 1
        ? `write ${choices[0]} if that is right`
        : `write the name of ${isColumn ? 'its column' : 'what is meant'}`;
  return { path: path.map((part) => (part === '' ? '(blank)' : part)).join('.'), message };
}

/** Error: `configuration_invalid`, with each question by its path. */
export function refuseQuestions(mapping: Json, name: string): void {
  const issues = questionsIn(mapping);
  if (issues.length === 0) return;
  const count = issues.length === 1 ? '1 open question' : `${issues.length} open questions`;
  throw new CliError('configuration_invalid', `${name} has ${count}.`, {
    hint: advice`Replace each text that begins with "? " with your answer, and run the same command again.${again()}`,
    issues,
    outcome: 'not_sent',
  });
}
