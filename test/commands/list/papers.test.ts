import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ListService, listService } from '../../api/list-services.ts';
import { startStubService } from '../../api/stub-service.ts';
import { type CliOptions, runCli, temporaryDirectory } from '../../support/cli.ts';

const day = '2026-11-21';
const orders = [
  {
    id: 'S-1',
    orderNumber: 'ORD-2026-000010',
    externalOrderId: 'UB-1',
    status: 'CONFIRMED',
    customer: { phone: '99112233', name: 'Бат' },
    items: [
      { sku: 'TEA-001', quantity: 2 },
      { name: 'Малгай', quantity: 1 },
    ],
    collectionMode: 'COLLECT',
    collectionAmount: '25000.50',
    deliveryAddress: { district: 'Хан-Уул', street: '1-р хороо', note: 'Залгаарай', door: '5 тоот' },
  },
  {
    id: 'S-2',
    orderNumber: 'ORD-2026-000002',
    externalOrderId: 'UB-2',
    status: 'CONFIRMED',
    customer: { phone: '99112244', name: 'Дорж' },
    items: [{ sku: 'TEA-001' }],
    collectionMode: 'NONE',
    collectionAmount: '9000',
    deliveryAddress: { district: 'Баянгол', street: '10-р хороо' },
  },
  {
    id: 'S-3',
    orderNumber: 'ORD-2026-000009',
    externalOrderId: 'UB-3',
    status: { code: 'cancelled' },
    items: [{ sku: 'OLD-1', quantity: 1 }],
    collectionMode: 'COLLECT',
    collectionAmount: '7000',
  },
  {
    id: 'S-4',
    orderNumber: 'ORD-2026-000003',
    status: 'CONFIRMED',
    customer: { phone: '99112255' },
    collectionMode: 'COLLECT',
    deliveryAddress: { district: 'Баянгол', street: '9-р хороо' },
  },
].map((order) => ({
  ...order,
  createdAt: '2026-11-20T12:00:00Z',
  requestedDeliveryDate: day,
}));

async function startList(all: object[] = orders, service: Partial<ListService> = {}) {
  const respond = listService({ envelope: 'items, limit', count: all.length, orders: all, ...service });
  const { env, received } = await startStubService(respond);
  const list = (args: string[], options: CliOptions = {}) =>
    runCli(['list', '--deliver-on', day, '--created-from', '2026-11-20', ...args], { env, ...options });
  return { list, received, folder: temporaryDirectory() };
}

const read = (count: number, all: number) =>
  `${count} orders for Saturday 21 November 2026, of ${all} created since 2026-11-20.\n`;
const totals =
  '3 orders, to collect 25,000.50 ₮. 1 order does not show how much. 1 cancelled order is left out.\n';
const stderr = read(3, 4) + totals;

describe('list --for', () => {
  it('packing: says what goes into each parcel', async () => {
    const { list } = await startList();
    expect(await list(['--for', 'packing'])).toMatchObject({
      stdout: `orderNumber	externalOrderId	status	items	note
ORD-2026-000003		CONFIRMED	?	
ORD-2026-000002	UB-2	CONFIRMED	? × TEA-001	
ORD-2026-000010	UB-1	CONFIRMED	2 × TEA-001, 1 × Малгай	Залгаарай
`,
      stderr,
      exitCode: 0,
    });
  });

  it('courier: says where to, and what is collected, as a number for programs', async () => {
    const { list, folder } = await startList();
    const rows = `orderNumber,status,customer.phone,customer.name,address,items,collectionAmount,note
ORD-2026-000003,CONFIRMED,99112255,,"Баянгол, 9-р хороо",?,,
ORD-2026-000002,CONFIRMED,99112244,Дорж,"Баянгол, 10-р хороо",? × TEA-001,0,
ORD-2026-000010,CONFIRMED,99112233,Бат,"Хан-Уул, 1-р хороо, 5 тоот","2 × TEA-001, 1 × Малгай",25000.50,Залгаарай
`;
    expect(await list(['--for', 'courier', '--format', 'csv'])).toMatchObject({ stdout: rows, stderr });
    const file = join(folder, 'courier.csv');
    expect(await list(['--for', 'courier', '-o', file])).toMatchObject({
      stdout: '',
      stderr: `Wrote 3 orders to ${file}.\n${stderr}`,
    });
    expect(readFileSync(file, 'utf8')).toBe(`\uFEFF${rows.replace('.50,', '.5,')}`);
  });

  it('is a table where it fits, and else a card for each order', async () => {
    const { list } = await startList(orders.slice(0, 1));
    const courier = async (width: number) =>
      (await list(['--for', 'courier', '--no-color'], { width })).stdout;
    expect(await courier(104)).toBe(
      `number           status     phone     name  address            items               to collect  note
ORD-2026-000010  CONFIRMED  99112233  Бат   Хан-Уул, 1-р       2 × TEA-001,       25,000.50 ₮  Залгаарай
                                            хороо, 5 тоот      1 × Малгай
`,
    );
    expect(await courier(80)).toBe(`number      ORD-2026-000010
status      CONFIRMED
phone       99112233
name        Бат
address     Хан-Уул, 1-р хороо, 5 тоот
items       2 × TEA-001
            1 × Малгай
to collect  25,000.50 ₮
note        Залгаарай
`);
    const packing = await list(['--for', 'packing', '--no-color'], { width: 80 });
    expect(packing.stdout).toBe(
      `number           own id  status     items                    note
ORD-2026-000010  UB-1    CONFIRMED  2 × TEA-001, 1 × Малгай  Залгаарай
`,
    );
  });

  it.each([
    [['--for', 'packing', '--columns', 'id'], '--for cannot be used with --columns.'],
    [['-o', 'orders.html'], '--output writes HTML for the printer only with --for.'],
    [
      ['--for', 'packing', '-o', 'orders.html', '--format', 'csv'],
      '--output writes HTML, and the format is csv.',
    ],
    [['--for', 'packing', '-o', 'orders.pdf'], 'Expected a file name that ends in .csv or .html.'],
    [['--for', 'boss'], 'packing, courier'],
  ])('refuses %j', async (args, text) => {
    const { list } = await startList();
    const { stdout, stderr, exitCode } = await list(args);
    expect([stdout, stderr, exitCode]).toEqual(['', expect.stringContaining(text), 2]);
  });
});

const hostile = [
  '<script>alert(1)</script>',
  '</title></style></td></table><img src=x onerror=alert(1)>',
  '"\'&amp;',
  '\u001b[31mred\u001b]0;title\u0007',
  '\u202egnp.exe\u2066',
  'line\r\nbreak\u2028again',
  'w'.repeat(5000),
  '=HYPERLINK("http://x")',
];

describe('list --for --output FILE.html', () => {
  it('writes one page for the printer, in the language of the terminal', async () => {
    const { list, folder } = await startList();
    const page = async (name: string, options: CliOptions) => {
      const file = join(folder, name);
      await list(['--for', 'packing', '-o', file], options);
      return readFileSync(file, 'utf8');
    };
    const english = await page('en.html', {});
    expect(english).toMatch(/^<!doctype html>\n<html lang="en">\n/);
    expect(english).toContain('<h1>Packing list, Saturday 21 November 2026</h1>');
    expect(english).toContain('@page { size: A4;');
    expect(english).toContain('counter(page)');
    expect(english).toContain(
      '<tr><td class="box"></td><td class="orderNumber"><div>ORD-2026-000010</div></td><td class="externalOrderId"><div>UB-1</div></td><td class="status"><div>CONFIRMED</div></td><td class="items"><div>2 × TEA-001</div><div>1 × Малгай</div></td><td class="note"><div>Залгаарай</div></td></tr>\n',
    );
    expect(english).toContain(
      `<tr class="totals"><td colspan="6">${totals.trim()}</td></tr>\n</tbody>\n</table>\n</body>\n</html>\n`,
    );
    expect(english).not.toMatch(/<script|<link|<img|src=|href=|@import|url\(/);
    const { env } = await startStubService(
      listService({ envelope: 'items, limit', count: orders.length, orders }),
    );
    const mongolian = await page('mn.html', { env: { ...env, MERCHANT_ORDERS_LANG: 'mn' }, answers: [] });
    expect(mongolian).toContain('<html lang="mn">');
    expect(mongolian).toContain('<h1>Савлах жагсаалт, 2026 оны 11 сарын 21, бямба</h1>');
    expect(mongolian).toContain('<div>тэмдэглэл</div>');
  });

  it('escapes every text, and lets none hide, turn around or move another', async () => {
    const all = hostile.map((text, place) => ({
      id: `S-${place}`,
      orderNumber: text,
      externalOrderId: text,
      status: place === 0 ? 'CONFIRMED' : text,
      customer: { phone: text, name: text },
      items: [{ sku: text, quantity: text, name: text, variant: text }, text],
      collectionMode: 'COLLECT',
      collectionAmount: text,
      createdAt: '2026-11-20T12:00:00Z',
      requestedDeliveryDate: day,
      deliveryAddress: { district: text, street: text, note: text },
    }));
    const { list, folder } = await startList(all);
    for (const paper of ['packing', 'courier']) {
      const file = join(folder, `${paper}.html`);
      const { stderr, exitCode } = await list(['--for', paper, '-o', file]);
      expect(exitCode).toBe(0);
      expect(stderr).toContain('Values of more than 1,000 characters are cut here');
      const page = readFileSync(file, 'utf8');
      const tags = [...new Set(page.match(/<\/?[a-z!][^>]*>/gi))].map(
        (tag) => /^<\/?(\S+?)[\s>]/.exec(tag)?.[1],
      );
      expect([...new Set(tags)].sort()).toEqual(
        '!doctype body div h1 head html meta style table tbody td th thead title tr'.split(' '),
      );
      expect(page.match(/<tr>/g)).toHaveLength(hostile.length + 1);
      expect(page).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028]/u);
      expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(page).not.toMatch(/w{1001}/);
      for (const width of [80, 120]) {
        const { stdout, stderr } = await list(['--for', paper, '--no-color'], { width });
        expect(stderr).toContain('Values of more than 1,000 characters are cut here');
        expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\u2028]/u);
      }
      const { stdout } = await list(['--for', paper, '--format', 'csv', '--no-header']);
      expect(stdout).not.toMatch(/(?:^|,)=/m);
    }
  });

  it('is written whole or not at all, and replaces only a page of this command', async () => {
    const { list, folder } = await startList(orders, { total: () => 9 });
    const file = join(folder, 'page.html');
    expect(await list(['--for', 'packing', '-o', file])).toMatchObject({
      stderr: expect.stringContaining('Nothing was written.'),
      exitCode: 7,
    });
    expect(readdirSync(folder)).toEqual([]);
    const whole = await startList();
    await whole.list(['--for', 'packing', '-o', file]);
    await whole.list(['--for', 'courier', '-o', file]);
    expect(readdirSync(folder)).toEqual(['page.html']);
    writeFileSync(file, '<!doctype html>\n<p>mine');
    await whole.list(['--for', 'packing', '-o', file]);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
