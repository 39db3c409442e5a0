import { once } from 'node:events';
import { formatCommandLine } from '../../advice/command-line.ts';
import { isLoopback } from '../../api/http/address.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import type { Context } from '../../context.ts';
import { createStyle, type Style, streamColours } from '../../output/print.ts';
import { widthOf } from '../../text-width.ts';

interface StartFlags {
  port: number;
  host?: string;
  allowHost?: string[];
  db?: string;
  catalogue?: string;
  seed?: string;
  anySku?: boolean;
  latency?: number;
  behaviour?: string;
  apiKey?: string;
  readOnlyKey?: string;
  adminToken?: string;
}

export async function runStart(context: Context, flags: StartFlags): Promise<void> {
  const { sandbox, report, print, interruption, system } = context;
  const start = toStart(flags, system.env);
  const served = await sandbox.start({ ...start, onRequest: showRequests(context) });
  const { baseUrl, apiKey, readOnlyApiKey, adminToken, behaviour } = served;
  const database = start.databasePath ?? sandbox.databasePath;
  const page = `${baseUrl}/#token=${adminToken}`;
  report.started({
    service: 'SANDBOX',
    baseUrl,
    apiKey,
    readOnlyApiKey,
    adminToken,
    behaviour,
    database,
    page,
  });
  if (served.isSeedSkipped) {
    print.error(`warning: The seed was skipped: ${database} already has orders or customers.`);
  }
  for (const warning of warningsOf(start)) print.error(`warning: ${warning}`);
  // `note` would wrap them.
  print.styledNote(['', ...commandsToTry(served, system), 'Press Ctrl-C to stop it.'].join('\n'));
  if (!interruption.stopping.aborted) await once(interruption.stopping, 'abort');
  await served.stop(interruption.leaving);
  const kept = database === ':memory:' ? '' : ` Its orders are in ${database}.`;
  print.note(`The sandbox has stopped.${kept}`);
}

function showRequests({ system, settings, print }: Context): (request: EndedRequest) => void {
  const { err } = streamColours(system.env, system.terminal, settings.noColour);
  const width = system.terminal.stderr ? system.terminal.width : undefined;
  const look = { width, style: createStyle(err) };
  return (request) => print.styledNote(formatRequestLine(request, look));
}

function warningsOf({ host = '127.0.0.1', allowHosts = [] }: StartOptions): string[] {
  const warnings = [];
  if (!isLoopback(host.includes(':') ? `[${host}]` : host)) {
    warnings.push(
      `The sandbox can be reached from other machines (--host ${host}). Anyone who has a key or the admin token can read and change its orders.`,
    );
  }
  if (allowHosts.length > 0) warnings.push(`It accepts requests to ${allowHosts.join(', ')} too.`);
  return warnings;
}

type Start = Context['sandbox']['start'];
type StartOptions = Parameters<Start>[0];
type Served = Awaited<ReturnType<Start>>;

function commandsToTry({ baseUrl, apiKey, exampleSku }: Served, system: Context['system']): string[] {
  if (!isLoopback(new URL(baseUrl).hostname)) return [];
  const login = ['login', '--profile', 'sandbox', '--base-url', baseUrl, '--with-key'];
  const create = ['create', '--profile', 'sandbox', '--external-order-id', 'TRY-1', '--phone', '99112233'];
  return [
    'Try it from another terminal:',
    `  ${system.isWindows ? 'echo' : 'printf %s'} ${apiKey} | ${formatCommandLine(login, system)}`,
    `  ${formatCommandLine([...create, '--item', exampleSku, '--prepaid'], system)}`,
    '',
  ];
}

function toStart(flags: StartFlags, env: Readonly<Record<string, string | undefined>>): StartOptions {
  const { host, allowHost, db, catalogue, seed, latency, readOnlyKey, ...others } = flags;
  const { apiKey, adminToken } = others;
  return {
    ...others,
    isPublic: true,
    host: host?.replace(/^\[(.*)\]$/, '$1'),
    allowHosts: allowHost,
    databasePath: db,
    cataloguePath: catalogue,
    seedPath: seed,
    latencyMs: latency,
    apiKey: apiKey ?? variable(env.MERCHANT_ORDERS_SANDBOX_API_KEY),
    readOnlyApiKey: readOnlyKey ?? variable(env.MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY),
    adminToken: adminToken ?? variable(env.MERCHANT_ORDERS_SANDBOX_ADMIN_TOKEN),
  };
}

function variable(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

type EndedRequest = Parameters<NonNullable<StartOptions['onRequest']>>[0];

interface LineLook {
  width: number | undefined;
  style: Style;
}

const maxNote = 60;
const minPath = 12;

/** `14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1  fault: close`, in local time. */
export function formatRequestLine(request: EndedRequest, { width, style }: LineLook): string {
  const { status, durationMs } = request;
  const time = new Date(request.time).toTimeString().slice(0, 8);
  const method = cleanCell(request.method).padEnd(4);
  const statusText = status === null ? ' - ' : String(status);
  const duration = `${durationMs ?? '-'} ms`.padStart(8);
  const start = `${time}  ${method}  ${statusText}  ${duration}  `;
  const notes = notesOf(request);
  const end = notes.map((note) => `  ${note}`).join('');
  const path = cleanCell(request.path);
  const room = width === undefined ? path.length : width - widthOf(start) - widthOf(end);
  const shownPath = path.length > room ? shorten(path, Math.max(minPath, room) - 1) : path;
  const isProblem = status === null || status >= 400;
  const head = isProblem ? start.replace(statusText, style.red(statusText)) : start;
  return head + shownPath + (request.fault === null ? end : style.bold(end));
}

function notesOf({ externalOrderId, fault, status }: EndedRequest): string[] {
  const id = externalOrderId === null ? [] : [shorten(cleanCell(externalOrderId), maxNote)];
  if (fault === null) return id;
  const other = fault.status === null || fault.status === status ? '' : ` ${fault.status}`;
  return [...id, `fault: ${fault.kind}${other}`];
}
