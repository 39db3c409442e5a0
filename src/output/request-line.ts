import { cleanCell, shorten } from '../clean-text.ts';
import type { Style } from './print.ts';
import { widthOf } from './width.ts';

/** Times in ISO 8601; the path includes the query. */
export interface EndedRequest {
  time: string;
  method: string;
  path: string;
  /** Of the sandbox's own response; null without one. */
  status: number | null;
  durationMs: number | null;
  externalOrderId: string | null;
  /** `status`: of the response that replaced the sandbox's own; null without one. */
  fault: { kind: string; status: number | null } | null;
}

interface LineLook {
  width: number | undefined;
  style: Style;
}

const maxNote = 60;
const minPath = 12;

/** `14:03:22  POST  201     12 ms  /api/v1/merchant/orders  TRY-1  fault: close`, in local time. */
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
