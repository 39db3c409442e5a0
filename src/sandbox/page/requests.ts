import { html } from 'hono/html';
import type { EntryWithBodies, JournalEntry } from '../record/journal.ts';
import type { Service } from '../rules/service.ts';
import {
  cell,
  codeCell,
  counted,
  fieldList,
  type Html,
  jsonText,
  moment,
  pageSize,
  pages,
  table,
  visible,
} from './parts.ts';

export function requestsPart({ requestLog, store }: Service, page: number): Html {
  const { requests, total } = requestLog.journal.list({}, (page - 1) * pageSize, pageSize);
  const unknown = store.requests
    .authorizations()
    .filter(({ authorization }) => authorization !== 'known')
    .reduce((sum, counted) => sum + counted.requests, 0);
  const empty = html`There are no requests since the start. <a href="#/try">Send one</a>, and it appears here.`;
  return html`<h1>${counted('Requests', total)}</h1>
${unknown === 0 ? '' : html`<p class="calm">${unknown} more without a valid key or Host ${unknown === 1 ? 'was' : 'were'} rejected.</p>`}
${requestTable(requests, empty)}${pages('/requests', page, total)}`;
}

/** Enough to tell apart keys that are UUIDs. */
const maxKey = 12;
/** Enough for the path of a cancellation. */
const maxPath = 80;

export function requestTable(requests: readonly JournalEntry[], empty: Html | string): Html {
  return table(
    requests,
    [
      ['Time', ({ sequence, time }) => html`<a href="#/requests/${sequence}">${moment(time)}</a>`, 'fixed'],
      ['Status', statusOf],
      ['Request', ({ method, path }) => html`<span class="mono">${method} ${cell(path, maxPath)}</span>`],
      ['External ID', ({ externalOrderId }) => cell(externalOrderId)],
      ['Key', ({ idempotencyKey }) => codeCell(idempotencyKey, maxKey), 'fixed'],
      ['Fault', faultOf],
      ['Duration', ({ durationMs }) => duration(durationMs), 'number'],
    ],
    empty,
  );
}

function statusOf({ status }: JournalEntry): Html {
  if (status === null) return html`<span class="bad">none</span>`;
  return html`<span class="${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}

function duration(milliseconds: number | null): string {
  return milliseconds === null ? 'under way' : `${milliseconds} ms`;
}

/** Such as `close after the commit`, or `status after the commit: 504 sent`. */
function faultOf({ fault, status }: JournalEntry): Html | null {
  if (fault === null) return null;
  const when = fault.when === 'after_commit' ? 'after the commit' : 'before the commit';
  const sent = fault.status === null || fault.status === status ? '' : `: ${fault.status} sent`;
  return html`<span class="mark">${fault.kind} ${when}${sent}</span>`;
}

/** Undefined when it is no longer in the journal. */
export function requestPart({ requestLog }: Service, sequence: number): Html | undefined {
  const request = requestLog.journal.find(sequence);
  if (!request) return undefined;
  const { method, path, orderId } = request;
  return html`<h1>Request ${sequence}</h1>
${fieldList([
  ['Request', html`<span class="mono">${method} ${visible(path)}</span>`],
  ['Status', statusOf(request)],
  ['Fault', faultOf(request)],
  ['Time', moment(request.time)],
  ['Duration', duration(request.durationMs)],
  ['Idempotency-Key', visible(request.idempotencyKey ?? '')],
  ['External ID', visible(request.externalOrderId ?? '')],
  ['Created', orderId === null ? null : html`<a href="#/orders/${orderId}">${orderId}</a>`],
  ['X-Request-Id', html`<code>${request.requestId}</code>`],
])}
${bodies(request)}`;
}

function bodies({ requestBody, responseBody }: EntryWithBodies): Html {
  return html`<h2>Request body</h2>
${requestBody ? jsonText(requestBody) : html`<p class="empty">None</p>`}
<h2>Response body of the service</h2>
${responseBody ? jsonText(responseBody) : html`<p class="empty">None</p>`}`;
}
