import { cleanCell } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { type CsvSource, WorkbookQuestion } from '../../import/table/read-table.ts';
import type { ImportFlags } from './flags.ts';
import { type ImportJob, readJob } from './read.ts';

/** Reads the file and, at a terminal, asks what only a person knows about a workbook. Errors: those of readJob. */
export async function readAnswered(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags,
): Promise<ImportJob> {
  try {
    return await readJob(context, source, file, flags);
  } catch (error) {
    const { prompts, settings } = context;
    if (prompts === undefined || settings.yes || !(error instanceof WorkbookQuestion)) throw error;
    return readAnswered(context, source, file, { ...flags, ...(await ask(prompts, error)) });
  }
}

async function ask(
  prompts: NonNullable<Context['prompts']>,
  { question, sheets, sentence }: WorkbookQuestion,
): Promise<Partial<ImportFlags>> {
  if (question === 'sheet') {
    const choices = sheets.map((name, index) => ({ value: String(index), name: cleanCell(name) }));
    const chosen = await prompts.choose('Which sheet has the orders?', choices);
    return { sheet: sheets[Number(chosen)] ?? '' };
  }
  const hiddenRows = await prompts.choose(`${cleanCell(sentence)} What about them?`, [
    { value: 'leave-out', name: 'leave them out' },
    { value: 'send', name: 'send their orders too' },
  ]);
  return { hiddenRows };
}
