import type { Command } from 'commander';
import type { Context, OpenContext } from '../context.ts';

interface LogoutOptions {
  all: boolean;
}

export function registerLogout(command: Command, open: OpenContext): void {
  command
    .option('--all', 'remove the keys of all profiles')
    .action(async ({ all }: { all?: boolean }) => runLogout(await open(command), { all: all ?? false }));
}

async function runLogout({ profiles, identity, print }: Context, { all }: LogoutOptions): Promise<void> {
  const configuration = await profiles.read();
  const names = all ? Object.keys(configuration.profiles) : [(await identity()).profile];
  const removed = names.filter((name) => configuration.profiles[name]?.apiKey !== undefined);
  if (removed.length === 0) {
    print.note(all ? 'No key is stored.' : `No key is stored in profile ${names[0]}.`);
    return;
  }
  await profiles.update((now) => {
    for (const name of removed) delete now.profiles[name]?.apiKey;
    return now;
  });
  print.note(`Removed the key of ${removed.join(', ')}.`);
}
