import { joinTexts, type Text, t } from './advice/advice.ts';

export const exitCodes = {
  done: 0,
  unexpected: 1,
  nothingSent: 2,
  notFound: 3,
  keyRefused: 4,
  refused: 5,
  partly: 6,
  unreachable: 7,
  outcomeUnknown: 8,
  interrupted: 130,
  terminated: 143,
} as const;

const exitCodeOf = {
  unexpected_failure: exitCodes.unexpected,
  output_not_writable: exitCodes.unexpected,
  usage: exitCodes.nothingSent,
  order_invalid: exitCodes.nothingSent,
  file_invalid: exitCodes.nothingSent,
  columns_undecided: exitCodes.nothingSent,
  shop_recognised: exitCodes.nothingSent,
  header_row_unclear: exitCodes.nothingSent,
  sheet_unclear: exitCodes.nothingSent,
  rows_hidden: exitCodes.nothingSent,
  file_not_readable: exitCodes.nothingSent,
  file_not_writable: exitCodes.nothingSent,
  confirmation_required: exitCodes.nothingSent,
  fields_unconfirmed: exitCodes.nothingSent,
  fields_not_shown: exitCodes.nothingSent,
  not_confirmed: exitCodes.nothingSent,
  ambiguous_order: exitCodes.nothingSent,
  configuration_invalid: exitCodes.nothingSent,
  configuration_not_writable: exitCodes.nothingSent,
  sqlite_not_loaded: exitCodes.nothingSent,
  port_in_use: exitCodes.nothingSent,
  port_not_allowed: exitCodes.nothingSent,
  order_not_found: exitCodes.notFound,
  no_key: exitCodes.keyRefused,
  key_refused: exitCodes.keyRefused,
  key_check_failed: exitCodes.keyRefused,
  permission_missing: exitCodes.keyRefused,
  order_refused: exitCodes.refused,
  cancellation_refused: exitCodes.refused,
  request_refused: exitCodes.refused,
  order_conflict: exitCodes.refused,
  order_cancelled: exitCodes.refused,
  in_other_run: exitCodes.unreachable,
  import_stopped: exitCodes.unreachable,
  results_not_written: exitCodes.unreachable,
  some_orders_failed: exitCodes.partly,
  orders_differ: exitCodes.partly,
  fields_dropped: exitCodes.partly,
  twice: exitCodes.partly,
  too_many_errors: exitCodes.partly,
  unreachable: exitCodes.unreachable,
  request_blocked: exitCodes.unreachable,
  out_of_resources: exitCodes.unreachable,
  throttled: exitCodes.unreachable,
  wrong_base_url: exitCodes.unreachable,
  unreadable_answer: exitCodes.unreachable,
  response_too_large: exitCodes.unreachable,
  search_incomplete: exitCodes.unreachable,
  list_incomplete: exitCodes.unreachable,
  ledger_not_writable: exitCodes.unreachable,
  checks_failed: exitCodes.unreachable,
  file_changed: exitCodes.nothingSent,
  outcome_unknown: exitCodes.outcomeUnknown,
  cancel_pending: exitCodes.outcomeUnknown,
  interrupted: exitCodes.interrupted,
  terminated: exitCodes.terminated,
} as const;

export type ErrorCode = keyof typeof exitCodeOf;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(exitCodeOf, code);
}

export interface ErrorIssue {
  path: string;
  code?: string;
  /** What a column may say that is `column_unread`. */
  reason?: string;
  message: Text;
  value?: string;
  /** Of a problem of a file: the first of its rows, and how often it occurs. */
  rows?: number[];
  count?: number;
}

export interface ErrorDetails {
  hint?: Text;
  /** What has to be done before the same command can succeed: the hint without that command, if it names it. */
  cure?: Text;
  status?: number;
  serviceCode?: string;
  requestId?: string;
  issues?: ErrorIssue[];
  /** Keys of a mapping file with which the same command works. */
  mappingKeys?: { quote: 'none' };
  /** Already shown to the user; JSON has them all the same. */
  hasShownIssues?: boolean;
  outcome?: 'not_sent' | 'rejected' | 'unknown';
  /** A mapping file for the imported file, with its open questions. */
  draft?: Record<string, unknown>;
  idempotencyKey?: string;
  cause?: unknown;
}

const maxIssuesInMessage = 20;

/** The only error that users are meant to see: a code, one sentence, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: ErrorCode;
  /** The message, for a person; `message` is English. */
  readonly sentence: Text;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, sentence: Text, details: ErrorDetails = {}) {
    super(String(sentence), { cause: details.cause });
    this.sentence = sentence;
    this.code = code;
    this.details = details;
  }

  /** The service's code when it sent one, else ours. */
  get reportedCode(): string {
    return this.details.serviceCode ?? this.code;
  }

  /** The sentence and the first issues, which a service says in its own words, for places with room for one text. */
  get wholeSentence(): Text {
    const issues = this.details.hasShownIssues ? [] : (this.details.issues ?? []);
    const sentences = issues.slice(0, maxIssuesInMessage).map(({ path, message }) => `${path}: ${message}.`);
    return joinTexts(
      [this.sentence, ...sentences.map((sentence) => sentence.replace(/(?<!\.)\.+$/, '.'))],
      ' ',
    );
  }

  get exitCode(): number {
    return exitCodeOf[this.code];
  }
}

/** Ctrl-C, or the end of the input, at a question. */
export class PromptLeft extends Error {}

interface ResourceCause {
  /** Without a subject's name; neither has a full stop. */
  reason: Text;
  cure: Text;
}

const noMemory = t`there is not enough memory`;
const freeMemory = t`Close other programs, or allow this one more memory (ulimit -v unlimited)`;
const fullDisk = { reason: t`the disk is full`, cure: t`Free some space` };

/** What this computer may run out of, by the codes of the system and of Node.js. */
const resourceCauses: Readonly<Record<string, ResourceCause>> = {
  EMFILE: {
    reason: t`this program has too many files open`,
    cure: t`Allow it more (ulimit -n 4096), or lower --concurrency of an import`,
  },
  ENFILE: { reason: t`all programs together have too many files open`, cure: t`Close other programs` },
  EAGAIN: {
    reason: t`this user has too many programs running`,
    cure: t`Close other programs, or allow more of them (ulimit -u)`,
  },
  ENOMEM: { reason: noMemory, cure: freeMemory },
  ENOBUFS: { reason: t`there is not enough memory for another connection`, cure: freeMemory },
  EAI_MEMORY: { reason: noMemory, cure: freeMemory },
  ERR_MEMORY_ALLOCATION_FAILED: { reason: noMemory, cure: freeMemory },
  ERR_WORKER_INIT_FAILED: { reason: noMemory, cure: freeMemory },
  ERR_WORKER_OUT_OF_MEMORY: { reason: noMemory, cure: freeMemory },
  ENOSPC: fullDisk,
  EDQUOT: fullDisk,
};

/** By the code of the error or of its cause. */
export function findResourceCause(error: unknown): (ResourceCause & { code: string }) | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  const known = code !== undefined && Object.hasOwn(resourceCauses, code) ? resourceCauses[code] : undefined;
  if (known !== undefined && code !== undefined) return { ...known, code };
  return findResourceCause(error.cause);
}

const fullDiskCodes = ['ENOSPC', 'EDQUOT'];
/** SQLITE_FULL, and SQLITE_IOERR_SHMSIZE, when the index of its write-ahead log does not fit on the disk. */
const fullDiskSqliteCodes = [13, 4874];

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  return fullDiskCodes.includes(code) || fullDiskSqliteCodes.includes(sqliteCodeOf(error) ?? 0);
}

/** The result code of SQLite, under the name that libsql has for it or that of `node:sqlite`. */
export function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { rawCode, errcode } = error as { rawCode?: number; errcode?: number };
  return rawCode ?? errcode;
}
