import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { formatCommandLine } from '../output/command-line.ts';

export interface ConfirmFlags {
  reason?: string;
  dryRun?: boolean;
}

/** What can be known to be missing before the service is asked for anything. */
export function checkCanConfirm(
  { settings, prompts, system }: Context,
  { dryRun, reason }: ConfirmFlags,
): void {
  if (reason?.trim() === '') {
    throw new CliError('usage', 'The reason is blank.', { hint: 'Say why: --reason "out of stock"' });
  }
  if (prompts || (reason !== undefined && (settings.yes || dryRun))) return;
  const missing = [
    ...(reason === undefined ? [['--reason', 'TEXT']] : []),
    ...(settings.yes || dryRun ? [] : [['--yes']]),
  ];
  const names = missing.map((words) => words.join(' ')).join(' and ');
  const sentence = `Nobody is there to ask, and ${names} ${missing.length > 1 ? 'are' : 'is'} missing.`;
  throw new CliError('confirmation_required', sentence, {
    hint: `Nothing was sent. Run: ${formatCommandLine([...system.args, ...missing.flat()])}`,
    outcome: 'not_sent',
  });
}

export async function askReason({ prompts }: Context, given: string | undefined): Promise<string> {
  if (given !== undefined || !prompts) return (given ?? '').trim();
  return prompts.text({ message: 'Reason', check: (answer) => (answer === '' ? 'Say why.' : undefined) });
}

/** Error: `not_confirmed`. */
export async function confirmCancel(
  { settings, prompts }: Context,
  label: string,
  count: number,
): Promise<void> {
  if (count === 0 || settings.yes || !prompts) return;
  const what = count === 1 ? 'this order' : `these ${count} orders`;
  if (await prompts.confirm(`${label}: cancel ${what}?`)) return;
  throw new CliError('not_confirmed', 'Nothing was cancelled.', { outcome: 'not_sent' });
}
