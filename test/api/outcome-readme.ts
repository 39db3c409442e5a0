import { operations } from '../../src/api/http/attempt-result.ts';
import { stepTable } from '../../src/api/pacing/attempts.ts';
import { outcomeTable } from '../../src/api/responses/outcome.ts';

const opening = `# The service as its client sees it

A request that changes something ends as done, refused or unknown, and unknown is not failure: the order may be there.
What one attempt proves is decided in \`outcome.ts\`, what comes next in \`next-step.ts\`, and nowhere else. The tables
below are made from those two; a test compares them.

## What was seen, and what it proves

The first row that fits counts. A create that once was unknown stays so until a definite answer to the same key, or
until the order is looked up: a later 401 or 429 does not change it.`;

const between = `## What it means, and what comes next

An attempt is the last one after five that were spent, or when \`--timeout\` is used up. Waits that the service asks for
hold for all requests of the run (\`gate.ts\`), and so does an outage that an import sits out.`;

/** The documentation of both tables. */
export function renderReadme(): string {
  const outcomes = outcomeTable.map(({ seen, outcome }) => {
    const proven = operations.map((operation) =>
      typeof outcome === 'string' ? outcome : outcome[operation],
    );
    return [seen, ...proven.map((name) => `\`${name}\``)];
  });
  const steps = Object.entries(stepTable).map(([outcome, { means, follows }]) => [
    `\`${outcome}\``,
    means,
    follows,
  ]);
  return [
    opening,
    table(['seen', ...operations], outcomes),
    between,
    table(['outcome', 'means', 'then'], steps),
    '',
  ].join('\n\n');
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
