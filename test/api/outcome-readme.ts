import { operations } from '../../src/api/http/attempt-result.ts';
import { stepTable } from '../../src/api/pacing/next-step.ts';
import { outcomeTable } from '../../src/api/responses/outcome.ts';

const opening = `# The client of the service

A request that changes something ends as done, rejected or unknown, and unknown is not a failure: the order may exist.
\`responses/outcome.ts\` decides what one attempt proves, \`pacing/next-step.ts\` what comes next, and
\`pacing/admission.ts\` when an attempt leaves. The tables below are generated; a test compares them with the code.

## Attempt result → outcome

The first row that matches decides. A create that was once unknown stays unknown until a definite response to the same
key, or until the order is looked up: a later 401 or 429 does not change that.`;

const between = `## Outcome → next step

A call ends after five failed attempts, or when \`--timeout\` is used up. A server-requested wait holds back all requests
of the run (\`pacing/admission.ts\`), and so does an outage that an import waits out.

A run also learns how many requests a second the service accepts, from 429 and from bursts of fast 503 among successes, and
spaces its requests evenly below that (\`pacing/learned-rate.ts\`). Such a 503 still leaves the order unknown, but the first
20 of them cost an order none of its five attempts.`;

/** The text of src/api/README.md. */
export function renderReadme(): string {
  const outcomes = outcomeTable.map(({ when, outcome }) => {
    const names = operations.map((operation) => (typeof outcome === 'string' ? outcome : outcome[operation]));
    return [when, ...names.map((name) => `\`${name}\``)];
  });
  const steps = Object.entries(stepTable).map(([outcome, { means, follows }]) => [
    `\`${outcome}\``,
    means,
    follows,
  ]);
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
