import { z } from 'zod';
import { faults } from '../../../src/sandbox/behaviour/fault-settings.ts';
import { demoPhones } from '../../../src/sandbox/faults/fault-control.ts';
import { describeValues, type Node } from './values.ts';

const introduction = `## Rules of faults

Each rule in \`faults.rules\` has the requests that it matches (\`match\`), the time of its fault (\`when\`:
\`before_commit\` or \`after_commit\`) and the fault itself (\`do\`). The first matching rule applies. A \`probability\` is
drawn from the seed, the route, the order and the attempt alone, so the same seed gives the same faults at any
concurrency. Attempts are counted from when the faults were set.

\`\`\`json
{
  "faults": {
    "rules": [
      {
        "match": { "route": "create", "attempt": 1, "probability": 0.1 },
        "when": "after_commit",
        "do": { "kind": "reset" }
      }
    ]
  }
}
\`\`\``;

/** The README of fault rules and of the demonstration phones. */
export function renderFaults(): string {
  const { properties } = z.toJSONSchema(faults, { io: 'input' }) as Node;
  const rule = properties?.rules?.items?.properties ?? {};
  const match = rule.match?.properties ?? {};
  const matches = Object.entries(match).map(([name, node]) => `| \`${name}\` | ${node.description} |`);
  return [
    introduction,
    ['| match | selects |', '|---|---|', ...matches].join('\n'),
    ['| do | what happens | settings |', '|---|---|---|', ...kinds(rule.do)].join('\n'),
    `## Demonstration phones\n\nUnless \`faults.demoPhones\` is false, orders for these phones have faults:`,
    ['| customer.phone | what happens |', '|---|---|', ...demoPhones.map(demo)].join('\n'),
  ].join('\n\n');
}

function kinds(action: Node | undefined): string[] {
  return (action?.oneOf ?? action?.anyOf ?? []).map(
    (node) => `| \`${node.properties?.kind?.const}\` | ${node.description} | ${settings(node)} |`,
  );
}

function settings({ properties = {} }: Node): string {
  return Object.entries(properties)
    .filter(([name]) => name !== 'kind')
    .map(([name, node]) =>
      [`\`${name}\``, describeValues(node), presetOf(node), node.description].filter(Boolean),
    )
    .map(([name, ...facts]) => `${name}: ${facts.join('; ')}`)
    .join('<br>');
}

function presetOf({ default: preset }: Node): string {
  return preset === undefined ? '' : `default ${JSON.stringify(preset)}`;
}

function demo({ phone, description }: (typeof demoPhones)[number]): string {
  return `| ${phone} | ${description} |`;
}
