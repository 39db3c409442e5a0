import { CliError } from '../../errors.ts';

/**
 * The packaged file that a name means, out of those that `list` gives; undefined when it is no name but a path.
 * @throws CliError `usage` for a name that no file has
 */
export async function findPackaged(
  nameOrPath: string,
  list: () => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(nameOrPath)) return undefined;
  const behaviours = (await list()).filter((file) => file.endsWith('.json'));
  const file = `${nameOrPath}.json`;
  if (behaviours.includes(file)) return file;
  throw new CliError('usage', `There is no behaviour called ${nameOrPath}.`, {
    hint: `Give a file, such as ./${file}, or one of: ${behaviours.map((name) => name.slice(0, -5)).join(', ')}`,
  });
}
