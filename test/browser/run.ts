/**
 * npm run test:browser [-- FOLDER]: opens the page of the sandbox in Debian's Chromium, which is installed when it is
 * missing, and checks what only a browser can show. Pictures of the page are written to the folder.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { admin } from '../sandbox/admin/admin-client.ts';
import { openSandboxDatabase } from '../sandbox/database.ts';
import { anOrder, orders, send } from '../sandbox/start.ts';
import { installDebianPackages } from '../support/debian.ts';
import { hostileTexts } from './hostile-texts.ts';

const pictures = process.argv[2];
const wide = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };
const maxLoadMs = 2000;

/** What a page did that it must not do. */
const misdeeds: string[] = [];

interface Place {
  browser: Browser;
  sandbox: Sandbox;
}

const checks: Record<string, (place: Place) => Promise<void>> = {
  'shows nothing without the token': async ({ browser, sandbox }) => {
    const empty = await openOrders({ browser, sandbox });
    await waitForText(empty, 'There are no orders yet.');
    await picture(empty, 'empty');
    await empty.close();
    await create(sandbox, { externalOrderId: 'SECRET-1' });
    const page = await openPage(browser, `${sandbox.baseUrl}/`);
    await page.waitForSelector('#sign-in:not([hidden])');
    await picture(page, 'sign-in');
    assert.equal(await page.evaluate('document.querySelector("#content").textContent'), '');
    await page.keyboard.type('sandbox_wrong');
    await page.keyboard.press('Enter');
    await waitForText(page, 'This is not the admin token');
    await page.type('input[name=token]', sandbox.adminToken);
    await page.keyboard.press('Enter');
    await waitForText(page, 'SECRET-1');
    await page.reload();
    await waitForText(page, 'SECRET-1');
    await page.close();
  },

  'takes the token out of the address bar': async (place) => {
    const page = await openOrders(place);
    assert.equal(page.url(), `${place.sandbox.baseUrl}/#/orders`);
    await page.close();
  },

  'shows orders and requests as they come': async (place) => {
    const page = await openOrders(place);
    const id = newId();
    assert.ok(!(await textOf(page)).includes(id));
    await create(place.sandbox, {
      externalOrderId: id,
      items: [{ sku: 'TEA', quantity: 2 }, { name: 'Gift card' }],
      total: '1234567.50',
      requestedDeliveryDate: '2030-01-15',
    });
    await waitForText(page, id);
    const row = await rowWith(page, id);
    for (const text of ['CONFIRMED', 'PENDING', '2 × TEA, Gift card', '1,234,567.50', '2030-01-15']) {
      assert.ok(row.includes(text), `${text} is not in ${row}`);
    }
    await goTo(page, 'requests');
    await create(place.sandbox, { externalOrderId: `${id}-2`, items: [{ sku: 'CUP' }] });
    await waitForText(page, `${id}-2`);
    assert.match(await rowWith(page, `${id}-2`), /\b422 PRODUCT_SKU_INACTIVE\b/);
    await page.click('main tbody button');
    await waitForText(page, 'Response body of the service');
    await waitForText(page, '"message": "items[0].sku: \\"CUP\\" is inactive"');
    await page.close();
  },

  'shows a fault as its client saw it, and the whole story of an order': async (place) => {
    const page = await openOrders(place);
    const headers = { 'idempotency-key': newId() };
    const order = anOrder({
      externalOrderId: newId(),
      customer: { phone: '99000504' },
      total: '7500',
      requestedDeliveryDate: '2030-01-15',
    });
    const attempt = () =>
      send(place.sandbox.baseUrl, 'POST', orders, { key: place.sandbox.apiKey, headers, body: order });
    assert.equal((await attempt()).status, 504);
    const { json } = await attempt();
    const reset = newId();
    await create(place.sandbox, { externalOrderId: reset, customer: { phone: '99000500' } }).catch(() => {});
    await goTo(page, 'requests');
    assert.match(await rowWith(page, reset), /connection reset .* fault: reset after the commit/);
    await goTo(page, `orders?search=${order.externalOrderId}`);
    await page.click('main tbody a');
    await waitForText(page, 'Requests for it');
    const [first = '', second = ''] = await rowsOf(page, 'table:last-of-type');
    assert.match(first, /\b504 .* created the order; fault: status after the commit; .* 201\b/);
    assert.match(second, /\b201 .* replay of the first response/);
    const summary = await page.$eval('dl', (list) => list.innerText.replace(/\s+/g, ' '));
    for (const text of ['+97699000504', '7,500', '2030-01-15', 'TEA', json.id]) {
      assert.ok(summary.includes(text), `${text} is not in ${summary}`);
    }
    await picture(page, 'story');
    await page.close();
  },

  'searches and filters': async (place) => {
    const page = await openOrders(place);
    const id = newId();
    const { json } = await create(place.sandbox, {
      externalOrderId: `${id}-1`,
      items: [{ sku: 'TEA', name: `Jasmine ${id}` }],
    });
    await create(place.sandbox, { externalOrderId: `${id}-2` });
    await send(place.sandbox.baseUrl, 'POST', `${orders}/${json.id}/cancel`, {
      key: place.sandbox.apiKey,
      body: { reason: 'no longer needed' },
    });
    const count = async (expected: number) =>
      page.waitForFunction(`document.querySelectorAll('main tbody tr').length === ${expected}`);
    await page.type('input[name=search]', id.toLowerCase());
    await count(2);
    await page.select('select[name=status]', 'CANCELLED');
    await count(1);
    assert.match(await rowWith(page, `${id}-1`), /\bCANCELLED\b/);
    await page.reload();
    await count(1);
    assert.equal(await page.evaluate('document.querySelector("input[name=search]").value'), id.toLowerCase());
    await page.select('select[name=status]', 'DELIVERED');
    await waitForText(page, 'No order matches.');
    await goTo(page, `orders?search=${encodeURIComponent(`jasmine ${id}`)}`);
    await count(1);
    await goTo(page, 'requests');
    await page.type('input[name=search]', id);
    // The response of the cancellation has the order in it.
    await count(3);
    await page.select('select[name=route]', 'create');
    await count(2);
    await page.select('select[name=outcome]', 'error');
    await waitForText(page, 'No request matches.');
    assert.equal(await page.evaluate('document.activeElement.name'), 'search');
    await page.close();
  },

  'delivers and cancels an order': async (place) => {
    const page = await openOrders(place);
    const { json } = await create(place.sandbox, { externalOrderId: newId() });
    await goTo(page, `orders/${json.id}`);
    const heading = 'document.querySelector("main .state").textContent';
    for (const [label, status] of [
      ['Send out', 'IN_DELIVERY'],
      ['Deliver', 'DELIVERED'],
      ['Cancel', 'CANCELLED'],
    ] as const) {
      await press(page, label);
      await page.waitForFunction(`${heading} === '${status}'`);
      const stored = await admin(place.sandbox).get(`/orders/${json.id}`);
      assert.equal(stored.json.status, status);
    }
    await waitForText(page, 'Cancelled by the platform');
    await goTo(page, 'orders/ORD-2000-000001');
    await page.reload();
    await waitForText(page, 'There is no order with the id');
    await page.close();
  },

  'sets a fault and removes it, with what is wrong about one': async (place) => {
    const page = await openOrders(place);
    await goTo(page, 'controls');
    const id = newId();
    await page.type('input[name=externalOrderId]', `${id}*`);
    await page.select('select[name=kind]', 'status');
    await page.$eval('input[name=number]', (input) => Object.assign(input, { value: '503' }));
    await page.select('select[name=when]', 'before_commit');
    await press(page, 'Set the fault');
    await waitForText(page, `externalOrderId: ${id}*`);
    await picture(page, 'fault');
    const headers = { 'idempotency-key': id };
    const body = anOrder({ externalOrderId: `${id}-1` });
    const attempt = () =>
      send(place.sandbox.baseUrl, 'POST', orders, { key: place.sandbox.apiKey, headers, body });
    const first = await attempt();
    assert.deepEqual([first.status, first.headers['retry-after']], [503, '2']);
    assert.equal((await attempt()).status, 201);
    await page.select('select[name=route]', 'list');
    await press(page, 'Set the fault');
    await waitForText(page, 'match: can never match');
    await press(page, 'Remove');
    await waitForText(page, 'No fault is set.');
    assert.deepEqual((await admin(place.sandbox).get('/faults')).json.rules, []);
    await page.select('select[name=kind]', 'late_commit');
    assert.equal(
      await page.$eval('input[name=number]', (input) => input.closest('label')?.innerText),
      'Seconds',
    );
    assert.equal(await page.$eval('select[name=when]', (select) => select.closest('label')?.hidden), true);
    await page.close();
  },

  'advances the clock': async (place) => {
    const page = await openOrders(place);
    await goTo(page, 'controls');
    await press(page, '+1 day');
    const now = async () => Date.parse((await admin(place.sandbox).get('/clock')).json.now);
    await waitUntil(async () => (await now()) > Date.now() + 86_000_000);
    await press(page, 'Return to the time of this machine');
    await waitUntil(async () => Math.abs((await now()) - Date.now()) < 60_000);
    await page.close();
  },

  'fits a phone and a wide window, in light and dark': async (place) => {
    await rehearse(place.sandbox);
    const colours = new Set<unknown>();
    for (const scheme of ['light', 'dark']) {
      for (const [name, size] of Object.entries({ wide, phone })) {
        const page = await openOrders(place, size);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        for (const section of ['orders', 'requests', 'customers', 'catalogue', 'controls', 'try']) {
          await goTo(page, section);
          await assertFits(page, section);
          await picture(page, `${section}-${name}-${scheme}`);
        }
        colours.add(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'));
        await page.close();
      }
    }
    assert.equal(colours.size, 2);
  },

  'has curl commands on one line, which a shell runs as they are': async (place) => {
    const page = await openOrders(place);
    await goTo(page, 'try');
    const commands = await page.$$eval('.copy pre', (found) => found.map((pre) => pre.innerText));
    assert.ok(commands.length >= 4 && commands.every((command) => !command.includes('\n')));
    const run = async (command = '') => JSON.parse((await promisify(execFile)('sh', ['-c', command])).stdout);
    assert.equal((await run(commands[0])).externalOrderId, 'TRY-1');
    assert.ok((await run(commands[1])).data.length > 0);
    await page.close();
  },

  'shows hostile texts as texts, at every width': async (place) => {
    const found: string[] = [];
    for (const text of hostileTexts) {
      const { json, status } = await create(place.sandbox, {
        externalOrderId: text,
        customer: { phone: text, externalCustomerId: text, name: text },
        items: [{ name: text, [text]: text }],
        requestedDeliveryDate: '2030-01-15',
        [text]: text,
      });
      assert.equal(status, 201, `${text} was rejected`);
      found.push(json.id);
    }
    await send(place.sandbox.baseUrl, 'GET', `${orders}?status=${encodeURIComponent(hostileTexts.join())}`, {
      key: place.sandbox.apiKey,
    });
    for (const size of [wide, phone]) {
      const page = await openOrders(place, size);
      const sections = ['orders', 'requests', 'customers', ...found.map((id) => `orders/${id}`)];
      for (const section of sections) {
        await goTo(page, section);
        if (section === 'requests') await page.click('main tbody button');
        assert.equal(await page.evaluate('String(window.hit)'), 'undefined', section);
        assert.equal(await page.evaluate('document.querySelectorAll("main img, main script").length'), 0);
        await assertFits(page, section);
        if (section === 'orders') await picture(page, `hostile-${size.width}`);
      }
      assert.ok(!(await textOf(page)).includes('\u202e'));
      await page.close();
    }
  },

  'has landmarks, headings and table headers, and is used with the keyboard': async (place) => {
    const page = await openOrders(place);
    const tree = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }));
    for (const role of ['main', 'navigation', 'heading', 'columnheader', 'rowheader', 'status', 'search']) {
      assert.ok(tree.includes(`"role":"${role}"`), role);
    }
    await page.evaluate('document.activeElement.blur()');
    await page.focus('.skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    assert.equal(page.url(), `${place.sandbox.baseUrl}/#/orders`);
    await page.focus('nav a');
    for (let tabs = 0; tabs < 3; tabs += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForFunction('document.activeElement.textContent === "Catalogue 2"');
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    await page.close();
  },

  'says when the sandbox is gone, and goes on when it is back': async (place) => {
    const page = await openOrders(place);
    await page.setOfflineMode(true);
    await waitForText(page, 'The sandbox does not respond');
    await page.setOfflineMode(false);
    await page.waitForFunction('document.querySelector("[role=status]").textContent === ""');
    await page.close();
  },

  'shows 10,000 orders and one of 5,000 lines quickly, some rows at a time': async (place) => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index);
    const work = async () => {
      for (let next = numbers.pop(); next !== undefined; next = numbers.pop()) {
        await create(place.sandbox, { externalOrderId: `MANY-${next}` });
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
    const { json } = await create(place.sandbox, {
      items: Array.from({ length: 5000 }, (_, line) => ({ sku: 'TEA', line })),
    });
    const started = performance.now();
    const page = await openOrders(place);
    const loadMs = performance.now() - started;
    const rows = () => page.evaluate('document.querySelectorAll("tbody tr").length') as Promise<number>;
    assert.equal(await rows(), 50);
    await goTo(page, 'orders?page=200');
    assert.ok((await textOf(page)).includes('9,951 to 10,000 of'));
    await goTo(page, `orders/${json.id}`);
    assert.ok((await rows()) <= 300);
    assert.ok((await textOf(page)).includes('and 4800 more'));
    process.stdout.write(`  the page with 10,000 orders was there in ${Math.round(loadMs)} ms\n`);
    assert.ok(loadMs < maxLoadMs);
    await page.close();
  },

  'shows another section as such, also when a later reading overtakes it': async (place) => {
    const page = await openOrders(place);
    await page.evaluate(`addEventListener('hashchange',
      () => document.dispatchEvent(new Event('visibilitychange')), { once: true })`);
    await goTo(page, 'controls');
    await page.close();
  },

  'deletes everything when that is confirmed': async (place) => {
    const page = await openOrders(place);
    await goTo(page, 'controls');
    const total = async () => (await admin(place.sandbox).get('/orders')).json.total;
    await press(page, 'Delete all orders…');
    await picture(page, 'reset');
    await press(page, 'Keep');
    assert.ok((await total()) > 0);
    await press(page, 'Delete all orders…');
    await press(page, 'Delete');
    await waitUntil(async () => (await total()) === 0);
    await goTo(page, 'orders');
    await waitForText(page, 'There are no orders yet.');
    await page.close();
  },

  'runs no script and loads nothing that does not belong to it, even if HTML got in': async (place) => {
    const page = await openOrders(place);
    const before = misdeeds.length;
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<img src="/x" onerror="window.hit=1"><svg onload="window.hit=1"></svg><img src="http://127.0.0.1:9/x">')`);
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))');
    assert.equal(await page.evaluate('String(window.hit)'), 'undefined');
    // The same watch that found nothing in the other checks.
    assert.ok(misdeeds.splice(before).length > 0);
    await page.close();
  },
};

installDebianPackages(['chromium']);
if (pictures) mkdirSync(pictures, { recursive: true });
const sandbox = await startSandbox({
  database: await openSandboxDatabase(':memory:'),
  catalogue: [
    { sku: 'TEA', name: 'Green tea', active: true },
    { sku: 'CUP', name: 'Аяга', active: false },
  ],
  now: Date.now,
  randomUuid: randomUUID,
});
const browser = await puppeteer.launch({
  executablePath: '/usr/bin/chromium',
  // Chromium refuses its sandbox to root, who runs the checks in a container.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  for (const [name, check] of Object.entries(checks)) {
    process.stdout.write(`${name}\n`);
    await check({ browser, sandbox });
    assert.deepEqual(misdeeds, []);
  }
  process.stdout.write(`${Object.keys(checks).length} checks passed in ${await browser.version()}\n`);
} finally {
  await browser.close();
  await sandbox.stop();
}

/** A page in a profile of its own, whose requests, errors and violations of the policy are watched. */
async function openPage(browser: Browser, url: string, size = wide): Promise<Page> {
  const profile = await browser.createBrowserContext();
  const page = await profile.newPage();
  const { origin } = new URL(url);
  await page.setViewport(size);
  await page.evaluateOnNewDocument(
    "addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error('violation: ' + violatedDirective))",
  );
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || request.url().startsWith('data:');
    if (!isOwn) misdeeds.push(`a request to ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    misdeeds.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => misdeeds.push(String(error)));
  page.on('console', (message) => {
    if (message.text().startsWith('violation: ')) misdeeds.push(message.text());
  });
  await page.goto(url);
  return page;
}

async function openOrders({ browser, sandbox }: Place, size = wide): Promise<Page> {
  const page = await openPage(browser, `${sandbox.baseUrl}/#token=${sandbox.adminToken}`, size);
  await page.waitForFunction('document.activeElement.tagName === "H1"');
  return page;
}

/** The heading of a section gets the focus when its data is there. */
async function goTo(page: Page, section: string): Promise<void> {
  await page.evaluate(`document.activeElement.blur();
    if (location.hash === '#/${section}') dispatchEvent(new Event('hashchange'));
    else location.hash = '#/${section}'`);
  await page.waitForFunction('document.activeElement.tagName === "H1"');
}

async function press(page: Page, label: string): Promise<void> {
  await page.evaluate(
    `[...document.querySelectorAll('button')].find((one) => one.textContent === ${JSON.stringify(label)} && one.checkVisibility()).click()`,
  );
}

async function rowsOf(page: Page, table: string): Promise<string[]> {
  const rows = await page.$$eval(`main ${table} tbody tr`, (found) => found.map((row) => row.innerText));
  return rows.map((row) => row.replace(/\s+/g, ' '));
}

async function rowWith(page: Page, text: string): Promise<string> {
  const rows = await rowsOf(page, 'table');
  return rows.find((row) => row.includes(text)) ?? `a row that is missing: ${text}`;
}

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 10_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < end, String(isTrue));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function newId(): string {
  return `LIVE-${randomUUID().slice(0, 8)}`;
}

async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** Orders and requests of every kind, as a rehearsal has them. */
async function rehearse(sandbox: Sandbox): Promise<void> {
  const { baseUrl, apiKey: key } = sandbox;
  const ids: string[] = [];
  for (const [index, phone] of ['99112233', '88005566', '95110022', '99000500', '86001234'].entries()) {
    const { json } = await create(sandbox, {
      externalOrderId: `UB-${10_231 + index}`,
      customer: { phone, externalCustomerId: `C-${40 + index}` },
      requestedDeliveryDate: '2030-01-15',
      ...(index % 2 === 0 ? { collectionMode: 'COLLECT', collectionAmount: '25000.50' } : {}),
    }).catch(() => ({ json: undefined }));
    if (json) ids.push(json.id);
  }
  await create(sandbox, { items: [{ sku: 'CUP' }] });
  await send(baseUrl, 'POST', `${orders}/${ids[0]}/cancel`, { key, body: { reason: 'Хэрэглэгч болив' } });
  await admin(sandbox).put(`/orders/${ids[1]}/status`, { status: 'DELIVERED' });
  await send(baseUrl, 'GET', `${orders}?status=CONFIRMED`, { key });
}

async function assertFits(page: Page, section: string): Promise<void> {
  const [needed, given] = (await page.evaluate(
    '[document.documentElement.scrollWidth, innerWidth]',
  )) as number[];
  assert.ok((needed ?? 0) <= (given ?? 0), `${section} needs ${needed} pixels of ${given}`);
}

async function textOf(page: Page): Promise<string> {
  return String(await page.evaluate('document.body.innerText'));
}

async function waitForText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`document.body.innerText.includes(${JSON.stringify(text)})`);
}

function create({ baseUrl, apiKey }: Sandbox, fields: Record<string, unknown>) {
  const headers = { 'idempotency-key': randomUUID() };
  return send(baseUrl, 'POST', orders, { key: apiKey, headers, body: anOrder(fields) });
}
