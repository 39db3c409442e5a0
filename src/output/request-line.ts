import { cleanCell, shorten } from '../clean-text.ts';
import type { Style } from './colour.ts';
import { widthOf } from './table.ts';

/** A request that a sandbox has answered, or has left without a response. */
export interface EndedRequest {
  /** ISO 8601. */
  time: string;
  method: string;
  /** With the query. */
  path: string;
  /** Of the service's own response; null for none. */
  status: number | null;
  durationMs: number | null;
  externalOrderId: string | null;
  /** `status`: of the response that the client received in place of the service's own; null for none. */
  fault: { kind: string; status: number | null } | null;
}

interface LineLook {
  /** Of the terminal; undefined where lines are not cut. */
  width: number | undefined;
  style: Style;
}

const maxNote = 60;
const minPath = 12;

/** `14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1  fault: close` in local time. A path that does not fit is cut. */
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
