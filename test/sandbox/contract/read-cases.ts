import { readdirSync, readFileSync } from 'node:fs';
import { caseFile } from './case-shape.ts';

const folder = new URL('../../../fixtures/contract/', import.meta.url);

/** Sections → sentences → the names of their cases. */
export type SentenceList = Record<string, Record<string, string[]>>;

export function readCaseFiles() {
  return readdirSync(folder)
    .filter((fileName) => fileName.startsWith('section-') && fileName.endsWith('.json'))
    .sort()
    .map((fileName) => ({
      fileName,
      ...caseFile.parse(JSON.parse(readFileSync(new URL(fileName, folder), 'utf8'))),
    }));
}

/** Reads the list in README.md: headings with a number are sections, their items sentences, nested items cases. */
export function readSentenceList(): SentenceList {
  const list: SentenceList = {};
  let sentences: Record<string, string[]> | undefined;
  let cases: string[] = [];
  for (const line of readFileSync(new URL('README.md', folder), 'utf8').split('\n')) {
    const [, section, heading, sentence, name] =
      /^## (?:(\d.*)|(.*))$|^- (\d.*)$|^ {2}- (.+)$/.exec(line) ?? [];
    if (section !== undefined) {
      sentences = {};
      list[section] = sentences;
    } else if (heading !== undefined) sentences = undefined;
    else if (sentences && sentence !== undefined) {
      cases = [];
      sentences[sentence] = cases;
    } else if (sentences && name !== undefined) cases.push(name);
  }
  return list;
}
