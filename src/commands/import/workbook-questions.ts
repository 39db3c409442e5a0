import { cleanCell, shorten } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { type CsvSource, WorkbookQuestion } from '../../import/table/read-table.ts';
import { wrapText } from '../../output/wrapped-text.ts';
import type { ImportFlags } from './flags.ts';
import { type ImportJob, readJob } from './read.ts';

/** At a terminal, asks what only a person knows about a workbook. Errors: those of readJob. */
export async function readAnswered(
  context: Context,
  source: CsvSource,
  file: string,
  flags: ImportFlags,
): Promise<ImportJob> {
  try {
    return await readJob(context, source, file, flags);
  } catch (error) {
    const { prompts, settings, system } = context;
    if (prompts === undefined || settings.yes || !(error instanceof WorkbookQuestion)) throw error;
    const answer = await ask(prompts, error, system.terminal.width);
    const job = await readAnswered(context, source, file, { ...flags, ...answer });
    const { sheet, hiddenRows } = answer;
    const words = [
      ...(sheet === undefined ? [] : ['--sheet', sheet]),
      ...(hiddenRows === undefined ? [] : ['--hidden-rows', hiddenRows]),
    ];
    return { ...job, args: [...job.args, ...words] };
  }
}

/** For what the prompt draws before the text. */
const margin = 4;

async function ask(
  prompts: NonNullable<Context['prompts']>,
  { question, sheets }: WorkbookQuestion,
  width: number,
): Promise<Partial<ImportFlags>> {
  const room = Math.max(20, width - margin);
  const message = wrapText(question, room).join('\n  ');
  if (sheets !== undefined) {
    const choices = sheets.map((name, index) => ({
      value: String(index),
      name: shorten(cleanCell(name), room),
    }));
    const chosen = await prompts.choose(message, choices);
    return { sheet: sheets[Number(chosen)] ?? '' };
  }
  const hiddenRows = await prompts.choose(message, [
    { value: 'leave-out', name: 'no, leave them out' },
    { value: 'send', name: 'yes, send their orders' },
  ]);
  return { hiddenRows };
}
