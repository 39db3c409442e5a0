import type { Json } from '../orders/json.ts';

export const operations = ['create', 'get', 'list', 'cancel'] as const;
export type Operation = (typeof operations)[number];

/** A complete answer of the service. */
export interface Answer {
  kind: 'answer';
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** The text read as JSON; undefined when it is none. */
  body: Json | undefined;
}

/** An attempt that brought no complete answer. */
export interface Failure {
  kind: 'failure';
  /** False only when it is certain that no byte of the request left. */
  mayHaveBeenSent: boolean;
  /** The certificate was not accepted: trying again would not help. */
  isCertificate: boolean;
  reason: string;
  /** A connection that had been used before was closed before any byte of this answer came. */
  closedWhileIdle?: boolean;
}

/** What was seen on one attempt. */
export type Observation = Answer | Failure;
