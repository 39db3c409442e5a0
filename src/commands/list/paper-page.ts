import { type Say, type Text, t } from '../../advice/advice.ts';
import { cleanCell, shorten } from '../../clean-text.ts';
import type { Paper } from '../../output/reporter.ts';
import { maxValueLength } from '../../output/table.ts';

/** A paper for the printer: one page without scripts or other files, which a browser divides into pages of A4. */
export function createPaperPage({ name: paper, columns }: Paper, title: Text, say: Say) {
  const cells = (tag: 'th' | 'td', contents: readonly (readonly string[])[]) =>
    contents.map((texts, index) => formatCell(tag, texts, columns[index])).join('');
  const heading = escapeHtml(say(title));
  return {
    start: () => `${startOf(say)}<title>${heading}</title>
<style>
@page { size: A4${paper === 'courier' ? ' landscape' : ''}; margin: 12mm 10mm 15mm;
  @bottom-left { content: ${cssText(say(title))}; font: 10pt sans-serif }
  @bottom-right { content: counter(page) " / " counter(pages); font: 12pt sans-serif } }
body { font: 13pt/1.3 sans-serif; color: #000; margin: 0 }
h1 { font-size: 18pt; margin: 0 0 3mm }
table { width: 100%; border-collapse: collapse }
th, td { text-align: left; vertical-align: top; padding: 2mm 1.5mm; border-bottom: 0.3mm solid #777; unicode-bidi: isolate }
th, .status { font-size: 10pt }
th { border-bottom: 0.6mm solid #000 }
tr { break-inside: avoid }
.orderNumber, .phone, .collectionAmount { white-space: nowrap }
.items { min-width: 48mm }
.externalOrderId { min-width: 24mm }
.long { white-space: normal; overflow-wrap: anywhere }
.collectionAmount.collectionAmount { text-align: right; font-weight: bold }
.box::before { content: ""; display: block; width: 5mm; height: 5mm; border: 0.5mm solid #000 }
.totals { font-size: 15pt; font-weight: bold; break-before: avoid }
</style>
</head>
<body>
<h1>${heading}</h1>
<table>
<thead><tr><th></th>${cells(
      'th',
      columns.map(({ name }) => [name]),
    )}</tr></thead>
<tbody>
`,
    row: (texts: readonly (readonly string[])[]) => `<tr><td class="box"></td>${cells('td', texts)}</tr>\n`,
    end: (closing: Text) =>
      `<tr class="totals"><td colspan="${columns.length + 1}">${escapeHtml(say(closing))}</td></tr>\n</tbody>\n</table>\n</body>\n</html>\n`,
    /** Whether a file begins as this one does. */
    isSuch: (text: string) =>
      (['en', 'mn'] as const).some((language) => text.startsWith(startOf({ language }))),
  };
}

/** A browser breaks a longer word only where it is said. */
const longWord = /\S{25}/;

function formatCell(
  tag: 'th' | 'td',
  texts: readonly string[],
  column: Paper['columns'][number] | undefined,
): string {
  const shown = texts.map((text) => cleanCell(shorten(text, maxValueLength)));
  const name = column?.field.replace(/^.*\./, '') ?? '';
  const isLong = shown.some((text) => longWord.test(text));
  const content = shown.map((text) => `<div>${escapeHtml(text)}</div>`).join('');
  return `<${tag} class="${name}${isLong ? ' long' : ''}">${content}</${tag}>`;
}

function startOf({ language }: Pick<Say, 'language'>): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="generator" content="merchant-orders list --for">
`;
}

export function paperTitle(paper: Paper['name'], day: Text | undefined): Text {
  if (day === undefined) return paper === 'packing' ? t`Packing list` : t`List for the courier`;
  return paper === 'packing' ? t`Packing list, ${day}` : t`List for the courier, ${day}`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** Each character by its number, so that none ends the text. */
function cssText(text: string): string {
  return `"${Array.from(text, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `).join('')}"`;
}
