import { createRedaction } from '../../redact.ts';
import type { LoggedRequest, Route } from '../store/requests.ts';

/** For people. No text in it contains a key of the sandbox. */
export type JournalEntry = ReturnType<typeof toEntry>;

/** Of what the client received; `fault`: whatever it was, a fault had changed it. */
export const outcomes = ['success', 'error', 'fault'] as const;
type Outcome = (typeof outcomes)[number];

interface JournalFilters {
  route?: Route | undefined;
  status?: number | undefined;
  outcome?: Outcome | undefined;
  /** A part of the path, the key or a body, in any case. */
  search?: string | undefined;
  /** Only requests that created, read or cancelled this order, or tried to. */
  order?: { id: string; externalOrderId: string | null } | undefined;
}

const maxEntries = 1000;
const maxBody = 8 * 1024;

/** The latest 1,000 requests with their bodies, in memory, without `secrets`. */
export function createJournal(secrets: () => readonly string[]) {
  let entries: LoggedRequest[] = [];
  const redact = () => {
    const redaction = createRedaction();
    for (const secret of secrets()) redaction.add(secret);
    return redaction.redact;
  };
  const clear = () => {
    entries = [];
  };

  return {
    clear,
    /** The request must have its sequence. Later changes to it are shown too. */
    add(logged: LoggedRequest): void {
      // Sequences restart after a reset, perhaps by another process.
      if ((entries.at(-1)?.sequence ?? 0) >= (logged.sequence ?? 0)) clear();
      entries.push(logged);
      if (entries.length > maxEntries) entries.shift();
    },
    /** The newest first. */
    list(filters: JournalFilters, offset: number, limit: number) {
      const matching = entries.filter((logged) => matches(logged, filters)).reverse();
      const clean = redact();
      return {
        requests: matching.slice(offset, offset + limit).map((logged) => withContent(logged, clean)),
        total: matching.length,
      };
    },
    /** Also for requests that are not in the journal. */
    describe: (logged: LoggedRequest): JournalEntry => toEntry(logged, redact()),
  };
}

function matches(logged: LoggedRequest, filters: JournalFilters): boolean {
  const { route, status, outcome, search, order } = filters;
  const externalId = externalIdOf(logged);
  return (
    (route ?? logged.route) === logged.route &&
    (status ?? logged.status) === logged.status &&
    (outcome === undefined || hasOutcome(logged, outcome)) &&
    (search === undefined || textOf(logged).includes(search.toLowerCase())) &&
    (order === undefined ||
      [logged.orderId, logged.subject].includes(order.id) ||
      (externalId !== null && externalId === order.externalOrderId))
  );
}

function hasOutcome({ status, endedAt, fault, faultStatus }: LoggedRequest, outcome: Outcome): boolean {
  if (outcome === 'fault') return fault !== undefined;
  const received = fault === undefined ? status : faultStatus;
  if (received === undefined) return outcome === 'error' && endedAt !== undefined;
  return (outcome === 'error') === received >= 400;
}

function textOf({ path, subject, idempotencyKey, requestBody, responseBody }: LoggedRequest): string {
  const sent = new TextDecoder().decode(requestBody);
  return [path, subject, idempotencyKey, sent, responseBody].join('\n').toLowerCase();
}

function externalIdOf({ route, subject }: LoggedRequest): string | null {
  return route === 'create' && subject !== '' ? subject : null;
}

type Clean = (text: string) => string;

function toEntry(logged: LoggedRequest, clean: Clean) {
  const cleaned = (text: string | null | undefined) => (text == null ? null : clean(text));
  const { fault, endedAt, arrivedAt } = logged;
  return {
    /** Null for a request without a valid key, which is only counted. */
    sequence: logged.sequence ?? null,
    time: new Date(arrivedAt).toISOString(),
    method: logged.method ?? '',
    path: clean(logged.path ?? ''),
    route: logged.route,
    /** Of the service's own response; null while there is none, or when a fault replaced it. */
    status: logged.status ?? null,
    /** Null while the request is under way. */
    durationMs: endedAt === undefined ? null : Math.max(0, endedAt - arrivedAt),
    requestId: logged.requestId ?? '',
    idempotencyKey: cleaned(logged.idempotencyKey),
    externalOrderId: cleaned(externalIdOf(logged)),
    /** The order that it created. */
    orderId: logged.orderId ?? null,
    /** `status`: what the client received instead; null if the fault broke the response itself. */
    fault:
      fault === undefined
        ? null
        : { kind: fault, when: logged.faultWhen ?? '', status: logged.faultStatus ?? null },
  };
}

/** Bodies are cut after 8 KiB; null for none. */
function withContent(logged: LoggedRequest, clean: Clean) {
  const { requestBody, responseBody, headers = {} } = logged;
  return {
    ...toEntry(logged, clean),
    /** In lower case; in the place of a key that was sent there is a text. */
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name === 'authorization' ? withoutKey(value) : clean(cutText(value)),
      ]),
    ),
    requestBody: requestBody === undefined ? null : clean(new TextDecoder().decode(requestBody)),
    responseBody: responseBody === undefined ? null : clean(responseBody),
  };
}

/** `Bearer (key)` */
function withoutKey(authorization: string): string {
  const end = authorization.indexOf(' ') + 1;
  return `${authorization.slice(0, end)}(key)`;
}

/** A copy, so that the rest of a long body is not kept in memory. */
export function cutBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length > maxBody ? bytes.slice(0, maxBody) : bytes;
}

export function cutText(text: string): string {
  return text.length > maxBody ? Buffer.from(text.slice(0, maxBody)).toString() : text;
}
