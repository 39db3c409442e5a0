import type { Json, JsonObject } from '../orders/json.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const;
export type Format = (typeof formats)[number];

/** The place of a page in a list; null where the service did not say. */
interface ListPage {
  page: number | null;
  pageSize: number | null;
  total: number | null;
  nextPage: number | null;
}

export interface Cancellation {
  /** The order as it is now, or the reference that was not found. */
  order: JsonObject;
  outcome: 'cancelled' | 'already_cancelled' | 'refused' | 'not_found' | 'unknown' | 'not_sent';
  status?: string;
  code?: string;
  message?: string;
  /** What the message calls the order, if it names it. */
  namedAs?: string;
}

/** Orders that arrive page by page; `end` must be called once. */
interface OrderRows {
  page(orders: JsonObject[]): void;
  end(page: ListPage): void;
}

/** One request of a dry run; the API key is never part of it. */
export interface RequestPreview {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Json;
}

export interface PastImport extends JsonObject {
  run: string;
  file: string;
  /** The origin of the service, or the identity of a sandbox; null when it was not recorded. */
  service: string | null;
  sandbox: boolean;
  /** RFC 3339, in UTC. */
  startedAt: string;
  endedAt: string | null;
  ended: string;
  exitCode: number | null;
  orders: Record<string, number | null>;
}

/** Writes data in one format. Every format has the same methods, so that no command branches on it. */
export interface Reporter {
  order(order: JsonObject): void;
  /** `now`, in milliseconds since the epoch, is used to show when they were created. */
  orders(now: number): OrderRows;
  cancellations(results: Cancellation[]): void;
  requests(requests: RequestPreview[]): void;
  /** Whether `outcome` writes anything; if not, outcomes need not be looked up one by one. */
  showsOutcomes: boolean;
  /** The outcome of one order of an import, when it is known: a line of ndjson, nothing in other formats. */
  outcome(outcome: JsonObject): void;
  /** The end of an import: the whole summary, or in a table its counts by outcome. */
  imported(summary: JsonObject & { orders: Record<string, number> }): void;
  /** Past imports; `now`, in milliseconds since the epoch, is used to show their age. */
  imports(imports: PastImport[], now: number): void;
  /** Whether a past import is shown as its results file, which is CSV, instead of by `facts`. */
  showsResults: boolean;
  facts(facts: JsonObject): void;
  /** Facts of a command that goes on running: JSON on one line, whose end its reader can see. */
  started(facts: JsonObject): void;
  /** A list of records, under this name in JSON; the columns are those of a table, unless flags say otherwise. */
  records(name: string, records: JsonObject[], columns: string[]): void;
}
