import type { Command } from 'commander';
import { advice, again, command, joinTexts, plainText, type Text, t } from '../advice/advice.ts';
import { proxyFor } from '../api/http/address.ts';
import { cleanCell } from '../clean-text.ts';
import type { Context, OpenContext } from '../context.ts';
import { CliError, exitCodes } from '../errors.ts';
import { explain } from '../flags.ts';
import { type Identity, labelOf, labelTexts, parseBaseUrl } from '../identity.ts';
import type { JsonObject } from '../orders/json.ts';
import { maskKey } from '../redact.ts';

const examples = `
Examples:
  $ merchant-orders doctor
  $ merchant-orders doctor --profile shop
  $ merchant-orders doctor --json

Checks this machine, the configuration, the address, the API key and the connection to the service, and says how to
fix what it finds. The orders are read once; nothing is sent or changed.`;

export function registerDoctor(command: Command, open: OpenContext): void {
  explain(command, examples).action(async () => runDoctor(await open(command)));
}

interface Check {
  name: string;
  status: 'pass' | 'warn' | 'fail';
  message: Text;
  isSentence?: boolean;
  hint?: Text;
  isOfKey?: boolean;
}

/** Errors: `key_check_failed`, `checks_failed`. */
async function runDoctor(context: Context): Promise<void> {
  const { report, print, say, system } = context;
  const checks = [...(await checkMachine(context)), ...(await checkLedger(context))];
  checks.push(...(await checkConnection(context)));
  // A check that Ctrl-C ended says nothing about the service.
  if (context.interruption.stopping.aborted)
    throw new CliError('unreachable', t`The checks were not finished.`);
  const records = checks.map(({ name, status, message, hint }): JsonObject => {
    return {
      name,
      status,
      message: String(message),
      ...(hint === undefined ? {} : { hint: plainText(hint, system) }),
    };
  });
  report.records('checks', records, ['status', 'name', 'message'], {
    heads: [t`status`, t`name`, t`message`],
    rows: checks.map(({ name, status, message }) => [statuses[status], names[name] ?? name, message]),
  });
  const { wrapText } = await import('../output/wrapped-text.ts');
  const { stderr, width } = system.terminal;
  const show = (text: string, indent: string) => {
    for (const line of stderr ? wrapText(text, width - indent.length) : [text]) print.note(indent + line);
  };
  const found = checks.filter(({ status }) => status !== 'pass');
  for (const { name, status, message, isSentence, hint } of found) {
    print.note('');
    const named = advice`${statuses[status]}: ${names[name] ?? name}. ${message}`;
    show(cleanCell(`${say(named)}${isSentence ? '' : '.'}`), '');
    if (hint !== undefined) show(cleanCell(say(hint)), '      ');
  }
  const failed = checks.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return;
  throw new CliError(
    failed.some(({ isOfKey }) => isOfKey) ? 'key_check_failed' : 'checks_failed',
    t`${failed.length} {check|checks} failed.`,
    { hint: t`Fix what is listed above, then run the same command again.${again()}` },
  );
}

const statuses: Record<Check['status'], Text> = { pass: t`pass`, warn: t`warn`, fail: t`fail` };

/** What a person reads instead of the names in JSON. */
const names: Record<string, Text> = {
  directory: t`directory`,
  ledger: t`ledger`,
  configuration: t`configuration`,
  proxy: t`proxy`,
  'API key': t`API key`,
  service: t`service`,
  sandbox: t`sandbox`,
  clock: t`clock`,
};

const supported = [20, 19] as const;

async function checkMachine({ system }: Context): Promise<Check[]> {
  const { nodeVersion, noDirectory, distrust, isWritable, isOnNetwork } = await system.machine();
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  const isOld = major < supported[0] || (major === supported[0] && minor < supported[1]);
  const directory = system.configDirectory ?? '';
  const elsewhere = t`Set MERCHANT_ORDERS_CONFIG_DIR to a directory on a local disk that you can write to.`;
  const checks: Check[] = [
    {
      name: 'Node.js',
      status: isOld ? 'fail' : 'pass',
      message: isOld ? t`version ${nodeVersion} is too old` : t`version ${nodeVersion}`,
      ...(isOld ? { hint: t`Install Node.js ${supported.join('.')} or newer.` } : {}),
    },
  ];
  const onNetwork = t`${directory} is on a network drive, where the ledger cannot be locked reliably`;
  const directoryCheck = (status: Check['status'], message: Text, hint: Text = elsewhere): Check => {
    return { name: 'directory', status, message, ...(status === 'pass' ? {} : { hint }) };
  };
  if (noDirectory !== undefined)
    checks.push({ ...directoryCheck('fail', noDirectory.message, noDirectory.hint), isSentence: true });
  else if (distrust !== undefined) checks.push(directoryCheck('warn', distrust.problem, distrust.fix));
  else if (!isWritable) checks.push(directoryCheck('fail', t`${directory} cannot be written`));
  else if (isOnNetwork) checks.push(directoryCheck('warn', onNetwork));
  else checks.push(directoryCheck('pass', directory));
  return checks;
}

async function checkLedger({ history }: Context): Promise<Check[]> {
  try {
    const past = await history();
    const [last] = past.list(1);
    past.close();
    const message = last === undefined ? t`no imports yet` : t`the last import is ${last.id}`;
    return [{ name: 'ledger', status: 'pass', message }];
  } catch (error) {
    return [failureOf('ledger', error)];
  }
}

function failureOf(name: string, error: unknown): Check {
  if (!(error instanceof CliError)) throw error;
  const { sentence: message, exitCode, details } = error;
  const isOfKey = exitCode === exitCodes.keyRefused || error.code === 'configuration_invalid';
  const hint = details.hint === undefined ? {} : { hint: details.hint };
  return { name, status: 'fail', message, isSentence: true, ...hint, isOfKey };
}

/** Each check needs the one before it. */
async function checkConnection(context: Context): Promise<Check[]> {
  const { settings, system } = context;
  const checks: Check[] = [];
  let identity: Identity | undefined;
  try {
    identity = settings.sandbox ? undefined : await context.identity();
    if (identity?.conflict !== undefined) throw identity.conflict;
    checks.push({ name: 'configuration', status: 'pass', message: describeIdentity(identity) });
    if (identity?.baseUrl !== undefined) {
      const proxy = proxyFor(parseBaseUrl(identity.baseUrl.value), system.env);
      // The address of a proxy may include a password.
      const message = proxy === undefined ? t`none is used` : t`requests go through ${proxy.host}`;
      checks.push({ name: 'proxy', status: 'pass', message });
    }
  } catch (error) {
    return [...checks, failureOf(checks.length === 0 ? 'configuration' : 'proxy', error)];
  }
  try {
    await using connection = await context.connect();
    const { probeService } = await import('../api/operations/check-address.ts');
    const { error, serviceTime } = await probeService(connection.client);
    const key: Check = { name: 'API key', status: 'pass', message: mayRead };
    const service: Check = {
      name: 'service',
      status: 'pass',
      message: t`${labelTexts[connection.label]} responds`,
    };
    if (error === undefined) checks.push(service, key);
    else if (error.code === 'key_refused') checks.push(service, failureOf('API key', error));
    else if (error.code === 'permission_missing')
      checks.push(service, { ...mayNotRead, message: error.sentence, isSentence: true });
    else if (error.details.status === 404 || error.details.status === 405)
      checks.push({
        ...failureOf('service', error),
        hint: t`Check the base URL; run: ${command('login')}`,
      });
    else checks.push(failureOf('service', error));
    if (serviceTime !== undefined) checks.push(checkClock(context.clock.now() - serviceTime));
  } catch (error) {
    checks.push(failureOf(settings.sandbox ? 'sandbox' : 'API key', error));
  }
  return checks;
}

function describeIdentity(identity: Identity | undefined): Text {
  if (identity === undefined) return t`the sandbox inside this program`;
  const { profile, baseUrl, apiKey } = identity;
  const shown = apiKey && t`key ${maskKey(apiKey.value)} (${labelTexts[labelOf(apiKey.value)]})`;
  const parts = [t`profile ${profile}`, baseUrl?.value ?? t`no address`, shown ?? t`no key`];
  return joinTexts(parts, ', ');
}

const mayRead = t`it may read orders; only an order shows whether it may also create and cancel`;

const mayNotRead = {
  name: 'API key',
  status: 'warn',
  hint: t`It may still create orders. For get, list and cancel use a key that may read them; run: ${command('login')}`,
} as const;

const maxSkewMilliseconds = 5 * 60_000;

function checkClock(skew: number): Check {
  const minutes = Math.round(Math.abs(skew) / 60_000);
  if (Math.abs(skew) <= maxSkewMilliseconds) {
    return { name: 'clock', status: 'pass', message: t`agrees with that of the service` };
  }
  return {
    name: 'clock',
    status: 'warn',
    message:
      skew > 0
        ? t`this computer is ${minutes} minutes ahead of the service`
        : t`this computer is ${minutes} minutes behind the service`,
    hint: t`Set the clock. A wrong clock shifts dates in list and create, and may make certificates look invalid.`,
  };
}
