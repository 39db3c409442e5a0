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

/** The codes of errors, by what the program exits with. */
const errorCodes = {
  unexpected: ['unexpected_failure', 'output_not_writable'],
  nothingSent: [
    'usage',
    'order_invalid',
    'file_invalid',
    'columns_undecided',
    'shop_recognised',
    'header_row_unclear',
    'sheet_unclear',
    'rows_hidden',
    'file_not_readable',
    'file_not_writable',
    'confirmation_required',
    'fields_unconfirmed',
    'fields_not_shown',
    'not_confirmed',
    'ambiguous_order',
    'configuration_invalid',
    'configuration_not_writable',
    'sqlite_not_loaded',
    'port_in_use',
    'port_not_allowed',
    'file_changed',
  ],
  notFound: ['order_not_found'],
  keyRefused: ['no_key', 'key_refused', 'key_check_failed', 'permission_missing'],
  refused: ['order_refused', 'cancellation_refused', 'request_refused', 'order_conflict', 'order_cancelled'],
  partly: ['some_orders_failed', 'orders_differ', 'fields_dropped', 'twice', 'too_many_errors'],
  unreachable: [
    'in_other_run',
    'import_stopped',
    'results_not_written',
    'unreachable',
    'request_blocked',
    'out_of_resources',
    'throttled',
    'wrong_base_url',
    'unreadable_answer',
    'response_too_large',
    'search_incomplete',
    'list_incomplete',
    'ledger_not_writable',
    'checks_failed',
  ],
  outcomeUnknown: ['outcome_unknown', 'cancel_pending'],
  interrupted: ['interrupted'],
  terminated: ['terminated'],
} as const;

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes][number];

export function isErrorCode(code: string): code is ErrorCode {
  return exitCodeOf(code) !== undefined;
}

function exitCodeOf(code: string): number | undefined {
  const names = Object.keys(errorCodes) as (keyof typeof errorCodes)[];
  const name = names.find((one) => errorCodes[one].some((known) => known === code));
  return name && exitCodes[name];
}

export interface ErrorIssue {
  path: string;
  /** Which gave the value, and is named to people in the place of the path. */
  flag?: string | undefined;
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
  /** Of an error that the program exits with 2 for: `not_sent`. */
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
    this.details = this.exitCode === exitCodes.nothingSent ? { outcome: 'not_sent', ...details } : details;
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
    return exitCodeOf(this.code) ?? exitCodes.unexpected;
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
