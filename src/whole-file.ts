import { t } from './advice/advice.ts';
import { cleanCell } from './clean-text.ts';
import type { Context } from './context.ts';
import type { Files } from './system/files.ts';

/**
 * Writes a file whole, or not at all, and says where an earlier one is kept. Returns whether there was anything to write.
 * Errors: `file_not_writable`, `file_changed`.
 */
export async function writeWhole(
  { system, print }: Pick<Context, 'system' | 'print'>,
  path: string,
  pieces: Parameters<Files['writeWhole']>[1],
  replacing: Omit<Parameters<Files['writeWhole']>[2], 'outputs'>,
): Promise<boolean> {
  const { isWritten, backup } = await system.files.writeWhole(path, pieces, {
    ...replacing,
    outputs: system,
  });
  if (backup !== undefined) print.note(t`The earlier ${cleanCell(path)} is kept as ${cleanCell(backup)}.`);
  return isWritten;
}
