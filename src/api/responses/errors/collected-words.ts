import type { ErrorIssue } from '../../../errors.ts';
import { isJsonNumber, type Json } from '../../../orders/json.ts';
import { oneLine } from '../message-text.ts';
import { type ErrorObject, isCodeOfProblem } from './code-shapes.ts';
import { problemCodeNames, valueNames } from './error-names.ts';
import { readSentence } from './problem-field.ts';

export interface ErrorText {
  text: string;
  rank: number;
  isHeading: boolean;
}

export interface ErrorWords {
  texts: ErrorText[];
  issues: ErrorIssue[];
  objects: ErrorObject[];
  /** At names that do not say whether the text is for a person. */
  otherTexts: ErrorIssue[];
}

const maxIssues = 100;
export const maxTexts = 20;
const maxObjects = 20;

/** Collects each problem once, and no more than a person can use. */
export function collectWords() {
  const found: ErrorWords = { texts: [], issues: [], objects: [], otherTexts: [] };
  const known = new Set<string>();
  const sentences: ErrorIssue[] = [];

  function addIssue(issue: ErrorIssue): void {
    const key = JSON.stringify([issue.path, issue.message]);
    if (issue.message === '' || known.has(key) || found.issues.length >= maxIssues) return;
    known.add(key);
    found.issues.push(issue);
  }

  function addIssues(paths: readonly string[], words: string, members: ReadonlyMap<string, Json>): void {
    const codes = problemCodeNames
      .map((name) => members.get(name))
      .filter((value) => typeof value === 'string');
    const sentence = readSentence(words);
    const said = sentence?.isLabel && paths.includes(sentence.path) ? sentence.message : words;
    const message = oneLine(said === '' ? (codes.find(isCodeOfProblem) ?? '') : said);
    const code = codes.find((text) => isCodeOfProblem(text) && text !== message);
    const value = valueNames.map((name) => oneLine(scalarOf(members.get(name)))).find(Boolean);
    for (const path of paths) {
      addIssue({ path, ...(code && { code }), message, ...(value && { value }) });
    }
  }

  /** Go's validator writes one problem per line. */
  function addText(words: string, rank: number, isHeading: boolean): void {
    const lines: string[] = [];
    for (const line of words.split('\n').slice(0, maxTexts)) {
      const sentence = readSentence(line.trim());
      const issue = sentence && { path: sentence.path, message: oneLine(sentence.message) };
      if (issue !== undefined && sentence?.isLabel) addIssue(issue);
      else lines.push(line);
      if (issue !== undefined && !sentence?.isLabel) sentences.push(issue);
    }
    const text = oneLine(lines.join('\n'));
    if (text !== '' && found.texts.length < maxTexts) found.texts.push({ text, rank, isHeading });
  }

  function addObject(object: ErrorObject): void {
    if (found.objects.length < maxObjects) found.objects.push(object);
  }

  function addOther(issue: ErrorIssue): void {
    if (found.otherTexts.length < maxTexts) found.otherTexts.push(issue);
  }

  function end(): ErrorWords {
    // The text about the whole error often repeats the first problem.
    const problems = [...found.issues];
    const isKnown = ({ path, message }: ErrorIssue) =>
      problems.some((one) => one.path === path || one.path.endsWith(`.${path}`) || one.message === message);
    for (const issue of sentences) if (!isKnown(issue)) addIssue(issue);
    return found;
  }

  const isFull = () => found.issues.length >= maxIssues;
  return { addIssue, addIssues, addText, addObject, addOther, isFull, end };
}

function scalarOf(value: Json | undefined): string {
  return isJsonNumber(value) ? value.toString() : typeof value === 'string' ? value : '';
}
