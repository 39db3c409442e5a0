import { createRedaction } from '../../redact.ts';
import type { LoggedRequest, Route } from '../store/logged-request.ts';

/** A request to the API as people read it. No text in it contains a key of the sandbox. */
export interface JournalEntry {
  /** As in the ledger; null for a request without a valid key, which is only counted. */
  sequence: number | null;
  /** ISO 8601. */
  time: string;
  method: string;
  /** With the query. */
  path: string;
  route: Route;
  /** Of the service's own response; null while there is none, and where a fault comes before it. */
  status: number | null;
  /** Until the client had the response; null while the request is under way. */
  durationMs: number | null;
  requestId: string;
  idempotencyKey: string | null;
  externalOrderId: string | null;
  /** The order that it created. */
  orderId: string | null;
  fault: JournalFault | null;
}

interface JournalFault {
  kind: string;
  when: string;
  /** That the client received in place of the service's own; null where the fault broke the response itself. */
  status: number | null;
}

export interface EntryWithBodies extends JournalEntry {
  /** Cut after 8 KiB; null for none. */
  requestBody: string | null;
  responseBody: string | null;
}

interface JournalFilters {
  route?: Route | undefined;
  status?: number | undefined;
  externalOrderId?: string | undefined;
  idempotencyKey?: string | undefined;
  /** Only requests with a larger sequence. */
  since?: number | undefined;
  /** Only requests that created, read or cancelled this order, or tried to. */
  order?: { id: string; externalOrderId: string | null };
}

const maxEntries = 1000;
const maxBody = 8 * 1024;

/** The latest 1,000 requests with their bodies, in memory. `secrets` are shown in none of them. */
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
    /** A logged request that has its sequence; what is learned about it later is shown too. */
    add(logged: LoggedRequest): void {
      // Sequences begin again after a reset, which another process may have done.
      if ((entries.at(-1)?.sequence ?? 0) >= (logged.sequence ?? 0)) clear();
      entries.push(logged);
      if (entries.length > maxEntries) entries.shift();
    },
    /** The newest first. */
    list(filters: JournalFilters, offset: number, limit: number) {
      const matching = entries.filter((logged) => matches(logged, filters)).reverse();
      const clean = redact();
      return {
        requests: matching.slice(offset, offset + limit).map((logged) => withBodies(logged, clean)),
        total: matching.length,
      };
    },
    find(sequence: number): EntryWithBodies | undefined {
      const found = entries.find((logged) => logged.sequence === sequence);
      return found && withBodies(found, redact());
    },
    /** For a request that has just ended, whether or not it is in the journal. */
    describe: (logged: LoggedRequest): JournalEntry => toEntry(logged, redact()),
  };
}

function matches(logged: LoggedRequest, filters: JournalFilters): boolean {
  const { route, status, externalOrderId, idempotencyKey, since, order } = filters;
  return (
    (route === undefined || logged.route === route) &&
    (status === undefined || logged.status === status) &&
    (externalOrderId === undefined || externalIdOf(logged) === externalOrderId) &&
    (idempotencyKey === undefined || logged.idempotencyKey === idempotencyKey) &&
    (since === undefined || (logged.sequence ?? 0) > since) &&
    (order === undefined ||
      logged.orderId === order.id ||
      logged.subject === order.id ||
      (order.externalOrderId !== null && externalIdOf(logged) === order.externalOrderId))
  );
}

function externalIdOf({ route, subject }: LoggedRequest): string | null {
  return route === 'create' && subject !== '' ? subject : null;
}

type Clean = (text: string) => string;

function toEntry(logged: LoggedRequest, clean: Clean): JournalEntry {
  const cleaned = (text: string | null | undefined) => (text == null ? null : clean(text));
  const { fault, endedAt, arrivedAt } = logged;
  return {
    sequence: logged.sequence ?? null,
    time: new Date(arrivedAt).toISOString(),
    method: logged.method ?? '',
    path: clean(logged.path ?? ''),
    route: logged.route,
    status: logged.status ?? null,
    durationMs: endedAt === undefined ? null : Math.max(0, endedAt - arrivedAt),
    requestId: logged.requestId ?? '',
    idempotencyKey: cleaned(logged.idempotencyKey),
    externalOrderId: cleaned(externalIdOf(logged)),
    orderId: logged.orderId ?? null,
    fault:
      fault === undefined
        ? null
        : { kind: fault, when: logged.faultWhen ?? '', status: logged.faultStatus ?? null },
  };
}

function withBodies(logged: LoggedRequest, clean: Clean): EntryWithBodies {
  const { requestBody, responseBody } = logged;
  return {
    ...toEntry(logged, clean),
    requestBody: requestBody === undefined ? null : clean(new TextDecoder().decode(requestBody)),
    responseBody: responseBody === undefined ? null : clean(responseBody),
  };
}

/** The beginning of a body, as a copy, so that the rest of a long one is not kept. */
export function cutBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length > maxBody ? bytes.slice(0, maxBody) : bytes;
}

export function cutText(text: string): string {
  return text.length > maxBody ? Buffer.from(text.slice(0, maxBody)).toString() : text;
}
