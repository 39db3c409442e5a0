/**
 * npm run test:browser [-- FOLDER]: opens the page of the sandbox in Debian's Chromium, which is installed when it is
 * missing, and checks what only a browser can show. Pictures of the page are written to the folder.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { admin } from '../sandbox/admin/admin-client.ts';
import { openSandboxDatabase } from '../sandbox/database.ts';
import { anOrder, orders, send } from '../sandbox/start.ts';
import { installDebianPackages } from '../support/debian.ts';
import { hostileTexts } from './hostile-texts.ts';

const pictures = process.argv[2];
const wide = { width: 1200, height: 800 };
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
    assert.equal(await page.evaluate('document.querySelector("main").textContent'), '');
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
    const id = `LIVE-${randomUUID().slice(0, 8)}`;
    assert.ok(!(await textOf(page)).includes(id));
    await create(place.sandbox, { externalOrderId: id });
    await waitForText(page, id);
    await goTo(page, 'requests');
    await create(place.sandbox, { externalOrderId: `${id}-2`, customer: { phone: '99000504' } });
    await waitForText(page, `${id}-2`);
    await waitForText(page, 'status after the commit: 504 sent');
    await page.click('main tbody a');
    await waitForText(page, 'Response body of the service');
    await page.close();
  },

  'fits a phone and a wide window, in light and dark': async (place) => {
    await rehearse(place.sandbox);
    const colours = new Set<unknown>();
    for (const scheme of ['light', 'dark']) {
      for (const [name, size] of Object.entries({ wide, phone })) {
        const page = await openOrders(place, size);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        for (const section of ['orders', 'requests', 'customers', 'catalogue', 'behaviour', 'try']) {
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

  'shows hostile texts as texts, at every width': async (place) => {
    const found: string[] = [];
    for (const text of hostileTexts) {
      const { json, status } = await create(place.sandbox, {
        externalOrderId: text,
        customer: { phone: text, externalCustomerId: text },
        items: [{ name: text }],
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
      const sections = [
        'orders',
        'requests',
        'customers',
        'requests/1',
        ...found.map((id) => `orders/${id}`),
      ];
      for (const section of sections) {
        await goTo(page, section);
        assert.equal(await page.evaluate('String(window.hit)'), 'undefined', section);
        assert.equal(await page.evaluate('document.querySelectorAll("main img, main script").length'), 0);
        await assertFits(page, section);
        if (section === 'orders') await picture(page, `hostile-${size.width}`);
      }
      await page.close();
    }
  },

  'has landmarks, headings and table headers, and is used with the keyboard': async (place) => {
    const page = await openOrders(place);
    const tree = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }));
    for (const role of ['main', 'navigation', 'heading', 'columnheader', 'rowheader', 'status']) {
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

  'shows 10,000 orders quickly, 50 at a time': async (place) => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index);
    const work = async () => {
      for (let next = numbers.pop(); next !== undefined; next = numbers.pop()) {
        await create(place.sandbox, { externalOrderId: `MANY-${next}` });
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
    const started = performance.now();
    const page = await openOrders(place);
    const loadMs = performance.now() - started;
    assert.equal(await page.evaluate('document.querySelectorAll("tbody tr").length'), 50);
    await goTo(page, 'orders?page=200');
    assert.ok((await textOf(page)).includes('9,951 to 10,000 of'));
    process.stdout.write(`  the page with 10,000 orders was there in ${Math.round(loadMs)} ms\n`);
    assert.ok(loadMs < maxLoadMs);
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
  await page.waitForSelector('main h1');
  return page;
}

async function goTo(page: Page, section: string): Promise<void> {
  const shown = page.waitForResponse((response) => response.url().endsWith(`/_sandbox/page/${section}`));
  await page.evaluate(`location.hash = '#/${section}'`);
  await shown;
  await page.waitForFunction('document.activeElement.tagName === "H1"');
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
