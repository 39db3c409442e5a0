import type { Command } from 'commander';
import { command, type Text, t } from '../advice/advice.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError } from '../errors.ts';
import { labelOf } from '../identity.ts';
import { maskKey } from '../redact.ts';

interface WhoamiFlags {
  check?: boolean;
}

export function registerWhoami(command: Command, open: OpenContext): void {
  command
    .option('--check', 'ask the service whether it accepts the key')
    .action(async (flags: WhoamiFlags) => runWhoami(await open(command), flags));
}

/** With `--check`, errors of reading the list. */
async function runWhoami(context: Context, { check }: WhoamiFlags): Promise<void> {
  await showIdentity(context);
  if (!check) return;
  await using connection = await context.connect();
  const { probeService } = await import('../api/operations/check-address.ts');
  const { error } = await probeService(connection.client);
  if (error !== undefined) throw error;
  context.print.note(t`The service accepts the key.`);
}

async function showIdentity({ settings, identity, sandbox, report, print }: Context): Promise<void> {
  if (settings.sandbox) {
    const { apiKey } = await sandbox.describe();
    show(report, {
      service: 'SANDBOX',
      profile: null,
      baseUrl: 'inside this program',
      apiKey: maskKey(apiKey),
      baseUrlFrom: 'sandbox',
      apiKeyFrom: 'sandbox',
    });
    return;
  }
  const { profile, profileSource, baseUrl, apiKey, conflict } = await identity();
  if (conflict !== undefined) print.note(t`warning: ${conflict.sentence} ${conflict.details.hint ?? ''}`);
  if (apiKey === undefined) {
    throw new CliError('no_key', t`There is no API key in profile ${profile}.`, {
      hint: t`Run: ${command('login')}`,
    });
  }
  show(report, {
    service: labelOf(apiKey.value),
    profile,
    baseUrl: baseUrl?.value ?? null,
    apiKey: maskKey(apiKey.value),
    profileFrom: profileSource,
    baseUrlFrom: baseUrl?.source ?? null,
    apiKeyFrom: apiKey.source,
  });
}

const names: Record<string, Text> = {
  service: t`service`,
  profile: t`profile`,
  baseUrl: t`baseUrl`,
  apiKey: t`apiKey`,
  profileFrom: t`profileFrom`,
  baseUrlFrom: t`baseUrlFrom`,
  apiKeyFrom: t`apiKeyFrom`,
};

const words: Record<string, Text> = {
  LIVE: t`LIVE`,
  SANDBOX: t`SANDBOX`,
  flag: t`flag`,
  environment: t`environment`,
  profile: t`profile`,
  sandbox: t`sandbox`,
  'inside this program': t`inside this program`,
};

function show(report: Context['report'], facts: Record<string, string | null>): void {
  const textOf = (name: string, value: string) =>
    name === 'profile' || name === 'apiKey' ? value : (words[value] ?? value);
  report.facts(
    facts,
    Object.entries(facts).map(([name, value]) => [names[name] ?? name, textOf(name, value ?? '')]),
  );
}
