import type { Json, JsonObject } from '../orders/json.ts';

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const;
export type Format = (typeof formats)[number];

/** Where a listing stands; null where the service did not say. */
export interface ListPage {
  page: number | null;
  pageSize: number | null;
  total: number | null;
  nextPage: number | null;
}

/** What became of one order of a cancellation of several. */
export interface Cancellation {
  /** The order as it is now, or what it was asked for by when it was not found. */
  order: JsonObject;
  outcome: 'cancelled' | 'already_cancelled' | 'refused' | 'not_found' | 'unknown' | 'not_sent';
  status?: string;
  code?: string;
  message?: string;
}

/** Rows that arrive page by page; `end` must be called once. */
export interface OrderRows {
  page(orders: JsonObject[]): void;
  end(page: ListPage): void;
}

/** One request as it would leave, for a dry run; the key of the API is never part of it. */
export interface RequestPreview {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Json;
}

/** One import of this machine, with what is known of its orders by now. */
export interface PastImport extends JsonObject {
  run: string;
  file: string;
  /** The origin of the service, or the identity of a sandbox; null where that was not kept. */
  service: string | null;
  sandbox: boolean;
  /** RFC 3339, in UTC. */
  startedAt: string;
  endedAt: string | null;
  /** How it ended, in words. */
  ended: string;
  exitCode: number | null;
  orders: Record<string, number | null>;
}

/** Data in one format: the same methods whatever the format, so that no command asks which it is. */
export interface Reporter {
  order(order: JsonObject): void;
  orders(): OrderRows;
  cancellations(results: Cancellation[]): void;
  /** What a dry run would send; one request is shown as itself, several as a list. */
  requests(requests: RequestPreview[]): void;
  /** Whether outcomes are shown one by one; otherwise nobody need find them out one by one. */
  showsOutcomes: boolean;
  /** The outcome of one order of an import, as it happens: a line of ndjson, nothing elsewhere. */
  outcome(outcome: JsonObject): void;
  /** The end of an import: the whole summary, or its counts by outcome where the format is a table. */
  imported(summary: JsonObject & { orders: Record<string, number> }): void;
  /** Past imports; `now`, in milliseconds since the epoch, is what a person is told their age by. */
  imports(imports: PastImport[], now: number): void;
  /** Named facts about the tool itself: whoami, sandbox info. */
  facts(facts: JsonObject): void;
}
