import { type AttemptResult, operations } from '../../src/api/http/attempt-result.ts';
import { type Outcome, type OutcomeConditions, outcomeOf } from '../../src/api/responses/outcome.ts';
import { badCertificate, lost, notSent, responseOf } from './response.ts';

const opening = `# The client of the service

A request that changes something ends as done, rejected or unknown, and unknown is not a failure: the order may exist.
\`responses/outcome.ts\` decides what one attempt proves, \`pacing/retry.ts\` what comes next, and
\`pacing/admission.ts\` when an attempt leaves. The tables below are generated; a test compares them with the code.

## What a body holds

The interface shows no bodies, so no name is expected, only shapes. \`http/body.ts\` makes a value of the bytes, whatever is
around it: JSON, JSON in a JSON text or in an envelope that holds its body as text, notices of PHP, lines of JSON, other
character sets. \`responses/order.ts\` finds one order in it, \`responses/list.ts\` the list of objects with an ID and a field of an
order, \`responses/page.ts\` its total and next page, and \`responses/error-body.ts\` the code, the words and the fields of an error.

An order is proved absent by an empty array or a count of 0 alone. \`{}\`, \`null\`, a 204, or a 404 with words that there are no
orders show an empty list and prove nothing: such a lookup settles nothing. Whether a walk over pages was complete is decided
in \`pages/walk-pages.ts\` alone: the \`caveat\` of the last page.

## Attempt result → outcome

The first row that matches decides. A create that was once unknown stays unknown until a definite response to the same
key, or until the order is looked up: a later 401 or 429 does not change that.`;

const between = `## Outcome → next step

A call ends after five failed attempts, or when \`--timeout\` is used up. A server-requested wait holds back all requests
of the run (\`pacing/admission.ts\`), and so does an outage that an import waits out.

A run also learns how many requests a second the service accepts, from 429 and from bursts of fast 503 among successes, and
spaces its requests evenly below that (\`pacing/limiter.ts\`). Rejections that do not depend on the rate do not lower it:
their share stays the same at half the rate. A fast 503 counts as a rejection for a minute after a burst, and as long as a
limit is known. It still leaves the order unknown, but the first 20 of them cost an order none of its five attempts.`;

/** What each outcome means, and what follows from it. */
const meanings: Readonly<Record<Outcome, [means: string, follows: string]>> = {
  succeeded: ['done', 'the ledger records it'],
  rejected: ['not done, and why', 'reported, not sent again'],
  not_found: ['there is no such order', 'reported'],
  key_refused: ['not processed', 'the whole run stops'],
  forbidden: [
    'not processed',
    'the order waits: if the next response is 403 too the whole run stops, else the order is rejected',
  ],
  wrong_base_url: ['not processed', 'the whole run stops; no redirect is followed'],
  redirected: [
    'it may have been processed before the redirect',
    'the order is looked up, or read after a cancellation; unless that shows it done, the whole run stops',
  ],
  bad_certificate: ['nothing was sent', 'the whole run stops'],
  throttled: [
    'not processed',
    'all requests wait as long as the service requests, then it is sent again; no attempt is spent',
  ],
  not_sent: ['nothing was sent', 'it is sent again'],
  unknown: [
    'it may have been processed',
    'the same request is sent again under the same key; after a cancellation the order is read instead',
  ],
  no_order: [
    'it may have been processed',
    'the order is looked up; if it is not there, the same request is sent again under the same key',
  ],
  unreadable: ['the response cannot be understood', 'reported; the same request would get the same response'],
  rejected_or_exists: [
    'rejected, unless it means that the order exists',
    'the order is looked up; not found after a 409 or an unknown attempt: as unknown; not found otherwise: rejected',
  ],
};

const [code, known] = ['{"code":"SOMETHING_ELSE"}', '{"code":"PRODUCT_SKU_NOT_FOUND"}'];
const other: OutcomeConditions = { accepts: () => false };
const knownService: OutcomeConditions = { isServiceKnown: true };

/** An attempt of each kind. */
const attempts: readonly [when: string, AttemptResult, OutcomeConditions?][] = [
  ['the certificate of the service or of the proxy was not accepted', badCertificate],
  [
    'no connection: unknown host name, connection refused, connect timeout, TLS not finished, rejected by the proxy',
    notSent,
  ],
  ['2xx that is too large', { ...lost, isTooLarge: true }],
  ['100 Continue, which was not asked for', { ...lost, isContinue: true }],
  ['connection reset or closed, no response in time, a response that is cut off, damaged or not HTTP', lost],
  ['2xx with the requested order or list', responseOf(200, '{}')],
  ['2xx with JSON that is neither it nor an error', responseOf(200, '{}'), other],
  ['any other 2xx: empty, cut off, a web page, an error', responseOf(200), other],
  ['3xx', responseOf(308)],
  ['any 4xx but 401, 403, 408, 425 and 429 with a code of interface section 7', responseOf(409, known)],
  ['401', responseOf(401, known)],
  ['403', responseOf(403, known)],
  [
    '404 without a service code, from a service that has succeeded or rejected an order before',
    responseOf(404),
    knownService,
  ],
  ['404 without a service code', responseOf(404)],
  ['404 with a service code', responseOf(404, code)],
  ['405 without a service code, from such a service', responseOf(405), knownService],
  ['405 without a service code', responseOf(405)],
  ['408, 425', responseOf(425, known)],
  ['429', responseOf(429, known)],
  ['any other 4xx', responseOf(409, code)],
  ['5xx', responseOf(503, known)],
  ['any other status', responseOf(600)],
];

/** The text of src/api/README.md. */
export function renderReadme(): string {
  const outcomes = attempts.map(([when, attemptResult, conditions]) => {
    const names = operations.map((operation) => outcomeOf(operation, attemptResult, conditions));
    return [when, ...names.map((name) => `\`${name}\``)];
  });
  const steps = Object.entries(meanings).map(([outcome, words]) => [`\`${outcome}\``, ...words]);
  return [
    opening,
    table(['attempt result', ...operations], outcomes),
    between,
    table(['outcome', 'meaning', 'next step'], steps),
    '',
  ].join('\n\n');
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
