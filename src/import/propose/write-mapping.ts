import type { JsonObject } from '../../orders/json.ts';
import type { Known, MappingAnswers, Proposal, WrittenMapping } from './proposal.ts';

/** The mapping that the answers give; what is still open is written as `? A | B`. */
export function writeMapping(proposal: Proposal, answers: MappingAnswers, _known: Known): WrittenMapping {
  const columns: JsonObject = {};
  let questions = 0;
  for (const { field, guesses, settled, isNeeded } of proposal.fields) {
    const isAnswered = answers.columns.has(field);
    const name = isAnswered ? answers.columns.get(field) : settled?.name;
    if (name !== undefined) columns[field] = name;
    if (isAnswered || name !== undefined || !isNeeded) continue;
    questions += 1;
    columns[field] = `? ${guesses.map((guess) => guess.name).join(' | ')}`;
  }
  return { mapping: { columns }, questions };
}
