import { html } from 'hono/html';
import { hiddenCharacter, shorten } from '../../clean-text.ts';
import { indentJson, isJsonObject, parseJson } from '../../orders/json.ts';

/** HTML whose texts are escaped. */
export type Html = ReturnType<typeof html>;

export const pageSize = 50;
const maxCell = 60;
/** Of a column that never wraps. */
export const maxFixed = 24;

const hidden = new RegExp(hiddenCharacter, 'gu');

/** Shows invisible and bidirectional control characters as escapes, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

export function cell(text: string | null | undefined, maxLength = maxCell): string {
  return visible(shorten(text ?? '', maxLength));
}

export function codeCell(text: string | null | undefined, maxLength = maxCell): Html | null {
  return text ? html`<span class="mono">${cell(text, maxLength)}</span>` : null;
}

/** `2026-11-22 14:03:22` in local time. */
export function moment(time: number | string): Html {
  const date = new Date(time);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return html`<time datetime="${date.toISOString()}">${local.slice(0, 19).replace('T', ' ')}</time>`;
}

/** `number` is aligned to the right; `fixed` never wraps. */
type Column<Row> = [title: string, value: (row: Row) => Html | string | null, look?: 'number' | 'fixed'];

/** The first column is the name of the row. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: Html | string,
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<table><thead><tr>${columns.map(
    ([title, , look]) => html`<th scope="col" class="${look ?? ''}">${title}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) => html`<tr>${columns.map((column, index) => cellOf(row, column, index === 0))}</tr>`,
  )}</tbody></table>`;
}

function cellOf<Row>(row: Row, [title, value, look]: Column<Row>, isName: boolean): Html {
  const content = value(row);
  const isEmpty = content === null || content === '';
  const classes = [look, isEmpty ? 'none' : undefined].filter(Boolean).join(' ');
  if (isName)
    return html`<th scope="row" data-label="${title}" class="${classes}"><span>${content}</span></th>`;
  return html`<td data-label="${title}" class="${classes}"><span>${content}</span></td>`;
}

const grouped = (number: number) => number.toLocaleString('en');

export function counted(title: string, total: number): Html {
  return html`${title}${total === 0 ? '' : html` <span class="calm">${grouped(total)}</span>`}`;
}

/** `path` has no query. */
export function pages(path: string, page: number, total: number): Html | string {
  if (total <= pageSize && page === 1) return '';
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return html`<nav class="pages" aria-label="Pages">
${first > total ? html`<span>Nothing is on this page</span>` : html`<span>${grouped(first)} to ${grouped(last)} of ${grouped(total)}</span>`}
${page > 1 ? html`<a href="#${path}?page=1">Newest</a> <a href="#${path}?page=${page - 1}" rel="prev">Newer</a>` : ''}
${last < total ? html`<a href="#${path}?page=${page + 1}" rel="next">Older</a>` : ''}</nav>`;
}

export function fieldList(entries: readonly (readonly [name: string, value: Html | string | null])[]): Html {
  const given = entries.filter(([, value]) => value !== null && value !== '');
  return html`<dl>${given.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function copyable(text: string): Html {
  return html`<div class="copy"><pre tabindex="0">${visible(text)}</pre><button type="button">Copy</button></div>`;
}

/** Indents JSON; any other text is unchanged. */
export function jsonText(text: string): Html {
  return copyable(indented(text));
}

function indented(text: string): string {
  try {
    const value = parseJson(text);
    return isJsonObject(value) || Array.isArray(value) ? indentJson(value) : text;
  } catch {
    return text;
  }
}
