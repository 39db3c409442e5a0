import Table from 'cli-table3';
import type { Cell } from './checks.ts';
import type { GatewayName } from './gateways.ts';

export interface Column {
  name: GatewayName;
  title: string;
  version?: string | undefined;
}

export interface Row {
  title: string;
  version: string | undefined;
  cells: Map<GatewayName, Cell | 'missing'>;
}

export function formatMatrix(columns: readonly Column[], rows: readonly Row[]): string {
  const table = new Table({ head: headOf(columns), style: { head: [], border: [] } });
  for (const row of rows) table.push(cellsOf(columns, row));
  return `${table}\n${formatImports(rows)}`;
}

function headOf(columns: readonly Column[]): string[] {
  return ['', ...columns.map(({ title, version }) => [title, version].filter(Boolean).join(' '))];
}

function cellsOf(columns: readonly Column[], { title, version, cells }: Row): string[] {
  const texts = columns.map(({ name }) => {
    const cell = cells.get(name);
    if (cell === undefined) return '';
    if (cell === 'missing') return 'not installed';
    return `${cell.checks - cell.failures.length} of ${cell.checks}`;
  });
  return [[title, version].filter(Boolean).join(' '), ...texts];
}

function formatImports(rows: readonly Row[]): string {
  const imports = rows
    .flatMap(({ cells }) => [...cells.values()])
    .filter((cell) => cell !== 'missing')
    .map((cell) => cell.imports);
  const sum = (name: keyof (typeof imports)[number]) =>
    imports.reduce((total, figures) => total + figures[name], 0);
  return (
    `${sum('orders').toLocaleString('en')} orders in ${imports.length} imports, ${sum('kills')} of them killed: ` +
    `${sum('lost')} lost, ${sum('duplicated')} duplicated, ${sum('misreported')} misreported.`
  );
}

/** The page of the documentation. */
export function formatPage(columns: readonly Column[], rows: readonly Row[]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    line(headOf(columns)),
    line(['---', ...columns.map(() => '---')]),
    ...rows.map((row) => line(cellsOf(columns, row))),
  ];
  return `${[introduction, table.join('\n'), formatImports(rows), explanation].join('\n\n')}\n`;
}

const introduction = `# Real frameworks and gateways

\`npm run frameworks\` starts small services on common web frameworks, puts common gateways in front of them, and runs the
built program against each combination. Each service is written in the default manner of its framework: its own
validation and error bodies, its usual status codes, list envelope and page parameters. What the program reports is
compared with the service's own store.

The numbers are the checks that were right, of all that were made.`;

const explanation = `## What is checked

In each cell, from an empty store:

- \`login\` with the key of the service, and with another key;
- an order is created, found by each of its IDs, created again, and created with another amount;
- orders are refused for an unknown and an inactive SKU, with the code of the service, and for a missing phone, a quantity
  of 0 and an unknown collection mode, with the field and the framework's own words; none of them exists afterwards;
- an order is cancelled, and orders that do not exist are read and cancelled;
- a file is imported of which the service rejects orders, with the code and the words in the results file, and the import
  is undone from that file;
- a file is imported while connections are reset, closed and stalled in the middle of requests and responses, in front of
  the gateway and behind it. The import is killed with SIGKILL, and the same command is run again until it ends with 0.
  Then every order of the file exists once, with the content of the file, and the results file names it by its ID;
- all pages of the list, and the list by date, status, phone and ID, equal the store.

Behind each gateway, a further import runs while the service is away for five seconds, and the gateway answers for it. One
run of the command creates every order.

## Running it

\`npm run frameworks\` installs the frameworks on Node.js from the lockfile in \`test/frameworks/services\`, without install
scripts. The others and the gateways are packages of Debian: as root they are installed too, otherwise the command to
install them is printed.

\`\`\`sh
npm run frameworks                             # everything
npm run frameworks -- express nestjs           # these frameworks only
npm run frameworks -- --gateway direct --gateway nginx
npm run frameworks -- --node --bounded         # on Node.js, every second one behind each gateway
npm run frameworks -- --available              # leaves out what cannot be installed here
npm run frameworks -- --orders 100 --seed 7    # shorter imports, other faults
npm run frameworks -- --write                  # writes this page
\`\`\``;
