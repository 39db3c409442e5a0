import { toJSONSchema } from 'zod';
import { type ApiError, findError, refusals } from '../../../src/sandbox/behaviour/api-error.ts';
import { renderFaults } from './readme-faults.ts';
import { describeValues, type Setting } from './values.ts';

const opening = `# Behaviours of the sandbox

The interface document leaves many points open. Each of them is a setting here, and every default is the sandbox's
own choice, not a fact about the real service. A behaviour is a JSON file with the settings that differ:

\`\`\`json
{ "keys": { "repeated": "ignored" }, "responses": { "list": "array" } }
\`\`\`

\`\`\`sh
merchant-orders sandbox start --behaviour stripe-like
merchant-orders sandbox start --behaviour ./mine.json
\`\`\`

An unknown setting or an invalid value is rejected, and the error names it. This file is generated from the schema in
\`src/sandbox/behaviour\`; a test compares them.`;

/** The README of all settings and of the behaviours in the package. */
export function renderReadme(
  settings: readonly Setting[],
  named: readonly { name: string; description?: string | undefined }[],
): string {
  const groups = [...new Set(settings.map(groupOf))].filter((group) => group !== '' && group !== 'faults');
  const sections = ['', ...groups].map((group) => {
    const members = settings.filter((setting) => groupOf(setting) === group);
    return `## ${group || 'At the top'}\n\n${table(members)}`;
  });
  const faults = `## faults\n\n${table(settings.filter((setting) => groupOf(setting) === 'faults'))}`;
  return `${[opening, `## By name\n\n${list(named)}`, ...sections, errors(), faults, renderFaults()].join('\n\n')}\n`;
}

/** The names in `refusals`, with what they have by default. */
function errors(): string {
  const names = Object.keys(toJSONSchema(refusals, { io: 'input' }).properties ?? {}) as ApiError['name'][];
  const rows = names.map((name) => {
    const { status, code } = findError(refusals.parse(undefined), name);
    return `| \`${name}\` | ${status} | \`${code}\` |`;
  });
  return ['## Errors in refusals\n', '| name | status | code |', '|---|---|---|', ...rows].join('\n');
}

function groupOf({ path }: Setting): string {
  return path.includes('.') ? (path.split('.')[0] ?? '') : '';
}

function list(named: readonly { name: string; description?: string | undefined }[]): string {
  const rows = named.map(({ name, description }) => `| \`${name}\` | ${description} |`);
  return ['| name | description |', '|---|---|', ...rows].join('\n');
}

function table(settings: readonly Setting[]): string {
  const rows = settings.map(({ path, node }) => {
    const defaultText = node.default === undefined ? 'none' : `\`${JSON.stringify(node.default)}\``;
    const values = path === 'refusals' ? '{NAME: {status, code}}, see below' : describeValues(node);
    return `| \`${path}\` | ${node.description} | ${values} | ${defaultText} |`;
  });
  return ['| setting | decides | values | default |', '|---|---|---|---|', ...rows].join('\n');
}
