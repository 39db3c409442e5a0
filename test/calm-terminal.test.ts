import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReceivedRequest, type Reply, startStubService } from './api/stub-service.ts';
import { forbidden, forbiddenInData, hostileString, hostileTexts } from './output/hostile.ts';
import { type CliOptions, runCli, temporaryDirectory } from './support/cli.ts';

const lineBreaks = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u000b',
  '\u001b[31m\n',
  '\u200b\n',
];

/** Each could hide text, act on a terminal or forge a line of ours. */
const payloads = [
  ...hostileTexts.map(([, text]) => text),
  ...lineBreaks.map((lineBreak) => `x${lineBreak}FORGED: nothing was sent`),
  ...fc.sample(hostileString, { numRuns: 300, seed: 25 }).map((text) => `x${text}\nFORGED`),
];

const order = (text: string, index: number) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  orderNumber: text,
  externalOrderId: `UB-${index}`,
  status: text,
  delivery: { [text]: text },
  customer: { phone: text },
  total: text,
});

const error = {
  code: payloads[0],
  message: payloads.join(' | '),
  requestId: payloads.join(' '),
  errors: payloads.map((text) => ({
    field: `items[0].${text}`,
    message: `wrong ${text}`,
    code: text,
    value: text,
  })),
};

const orders = payloads.map(order);
const whole = {
  ...order('ORD\nFORGED\u001b[31m', 1),
  ...Object.fromEntries(payloads.map((text, index) => [`${index}${text}`, text])),
};

const services: Record<string, (request: ReceivedRequest) => Reply> = {
  orders: ({ path, method, body, query, headers }) => {
    if (headers.authorization === undefined) return { status: 404 };
    if (path.endsWith('/cancel')) return { json: { ...whole, status: 'cancelled' } };
    if (method === 'POST') return { status: 201, json: { ...whole, ...JSON.parse(body) } };
    if (/orders\/./.test(path)) return { json: whole };
    const asked = query.externalOrderId;
    const found = orders.filter((one) => asked === undefined || one.externalOrderId === asked);
    return { json: { data: found, page: 1 } };
  },
  errors: ({ headers }) =>
    headers.authorization === undefined ? { status: 404 } : { status: 422, json: error },
  texts: ({ headers }) =>
    headers.authorization === undefined ? { status: 404 } : { status: 400, text: payloads.join('<br>') },
};

const text = payloads.join('');
const words = ['--phone', text, '--item', `sku=${JSON.stringify(text)}`, '--collect', text];
const sent: string[][] = [
  ['list'],
  ['get', 'UB-1'],
  ['create', '--phone', '99112233', '--item', 'TEA', '--prepaid', '--external-order-id', 'UB-1', '--yes'],
  ['cancel', 'UB-1', '--reason', 'sold out', '--yes'],
  ['import', 'bad\nFORGED\u001b[31m.csv', '--yes', '--on-invalid', 'skip'],
];
const typed: string[][] = [
  ['get', text],
  ['create', ...words, '--external-order-id', text, '--delivery-date', text, '--yes'],
  ['create', ...words, '--external-order-id', text, '--no-checks', '--yes'],
  ['create', '--file', text, '--yes'],
  ['create', '--set', `${text}=1`, '--yes'],
  ['cancel', 'UB-1', text, '--reason', text, '--yes'],
  ['import', 'orders.csv', '--yes'],
  ['import', 'orders.csv', '--map', text],
  ['import', 'orders.csv', '--map-column', `${text}=${text}`],
  ['import', text],
  ['imports'],
  ['imports', 'show', text],
  ['profiles', 'use', text],
  ['whoami', '--profile', text],
  ['list', '--base-url', text.replace(/[@?#]/g, '')],
  ['list', '--created-from', text],
  ['list', '--columns', text.slice(0, 200)],
  [text],
  [`--${text}`],
];

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const csv = [
  `externalOrderId,customer.phone,items[].sku,collectionMode,${cell(`note\nFORGED\u001b[31m`)}`,
  ...payloads.map((text, index) => [`UB-${index}`, text, text, 'NONE', text].map(cell).join(',')),
].join('\n');
const goodRows = ['UB-1', 'UB-2'].map((id) => `${id},99112233,TEA,NONE`);
const partlyGood = [
  'externalOrderId,customer.phone,items[].sku,collectionMode',
  ...goodRows,
  'UB-3,x,TEA,NONE',
].join('\n');

describe.each(Object.keys(services))('what people see of a service with hostile %s', (name) => {
  it('is lines of text of ours, with nothing hidden in them', async () => {
    const { baseUrl } = await startStubService(services[name] as (typeof services)[string]);
    const configDirectory = temporaryDirectory();
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'orders.csv'), csv);
    writeFileSync(join(directory, 'bad\nFORGED\u001b[31m.csv'), partlyGood);
    const profiles = { default: { baseUrl, apiKey: 'mk_live_0123456789' } };
    writeFileSync(
      join(configDirectory, 'config.json'),
      JSON.stringify({ currentProfile: 'default', profiles }),
    );
    const wrong: unknown[] = [];
    for (const command of name === 'orders' ? [...sent, ...typed] : sent) {
      const args = command.map((word) => (word.endsWith('.csv') ? join(directory, word) : word));
      // So wide that no line is wrapped: a line that begins with their text would be one that they began.
      const looks: CliOptions[] = [{}, { answers: [], width: 10_000, env: { NO_COLOR: '1' } }];
      for (const look of looks) {
        const { stdout, stderr } = await runCli([...args, '--verbose'], { configDirectory, ...look });
        const written = stdout + stderr;
        const hidden = forbidden.exec(stderr) ?? (look.answers ? forbidden : forbiddenInData).exec(stdout);
        const forged = /^ *FORGED.*$/m.exec(written);
        if (hidden || forged)
          wrong.push([command.join(' ').slice(0, 60), hidden?.[0], forged?.[0]?.slice(0, 100)]);
      }
    }
    expect(wrong).toEqual([]);
  });
});
