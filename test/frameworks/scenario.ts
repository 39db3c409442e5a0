import { randomUUID } from 'node:crypto';
import type { Check } from './checks.ts';
import { runProgram } from './processes.ts';
import type { ServiceDescription, Store } from './services.ts';

/** One service as the program reaches it, directly or through a gateway. */
export interface Scene {
  service: ServiceDescription;
  baseUrl: string;
  apiKey: string;
  /** Empty, for configurations and files. */
  folder: string;
  check: Check;
  store(): Promise<Store>;
}

interface ErrorLine {
  code?: string;
  message?: string;
  serviceCode?: string;
  issues?: { path?: string; message?: string }[];
}

type Run = Awaited<ReturnType<typeof runOne>>;

const firstId = 'F-1';
export const isCancelled = (status: unknown) => /^cancell?ed$/i.test(String(status));

/** The key, one order created, read, refused in several ways and cancelled. The store is empty before. */
export async function checkSingleOrders(scene: Scene): Promise<void> {
  await checkKeys(scene);
  const { check, store } = scene;
  const empty = await runOne(scene, ['list', '--all']);
  check('an empty list', empty.exitCode === 0 && ordersOf(empty).length === 0, empty.seen);

  await checkCreated(scene);
  await checkRefused(scene);

  const cancelled = await runOne(scene, ['cancel', firstId, '--reason', 'out of stock', '--yes']);
  check('a cancellation', cancelled.exitCode === 0, cancelled.seen);
  const after = await runOne(scene, ['get', firstId]);
  check('the order shows that it is cancelled', isCancelled(after.data.status), after.seen);
  const [stored] = (await store()).orders;
  check('the service has it cancelled', isCancelled(stored?.status), stored);
  for (const unknown of [randomUUID(), 'NO-SUCH-ORDER']) {
    const missing = await runOne(scene, ['cancel', unknown, '--reason', 'out of stock', '--yes']);
    check(`no order to cancel: ${unknown}`, missing.exitCode === 3, missing.seen);
  }
  const missing = await runOne(scene, ['get', randomUUID()]);
  check('no order to read', missing.exitCode === 3, missing.seen);
}

async function checkKeys(scene: Scene): Promise<void> {
  const login = async (key: string) => {
    const args = ['login', '--with-key', '--base-url', scene.baseUrl, '--json'];
    const env = { MERCHANT_ORDERS_CONFIG_DIR: `${scene.folder}/login-${key}` };
    const { exitCode, stderr } = await runProgram(args, env, `${key}\n`);
    return { exitCode, seen: `login: exit ${exitCode}\n${stderr}` };
  };
  const accepted = await login(scene.apiKey);
  scene.check('the key is accepted', accepted.exitCode === 0, accepted.seen);
  const refused = await login('another_key_1234');
  scene.check('another key is refused', refused.exitCode === 4, refused.seen);
}

async function checkCreated(scene: Scene): Promise<void> {
  const { check, store } = scene;
  const order = ['--external-order-id', firstId, '--phone', '99112233', '--item', 'TEA-001'];
  const created = await create(scene, [...order, '--collect', '25000']);
  const [stored] = (await store()).orders;
  const isStored = stored?.externalOrderId === firstId && stored.body.collectionAmount === '25000';
  check('a created order', created.exitCode === 0 && isStored && created.data.id === stored.id, created.seen);
  for (const reference of [firstId, String(created.data.id), String(created.data.orderNumber)]) {
    const got = await runOne(scene, ['get', reference]);
    check(`get ${reference}`, got.exitCode === 0 && got.data.id === stored?.id, got.seen);
  }
  const again = await create(scene, [...order, '--collect', '25000']);
  check('the same order again', again.exitCode === 0 && again.data.id === stored?.id, again.seen);
  const other = await create(scene, [...order, '--collect', '26000']);
  const isConflict = other.exitCode === 5 && other.error.code === 'order_conflict';
  check('the same ID with another amount', isConflict, other.seen);
  check('it exists once', (await store()).orders.length === 1, await store());
}

async function checkRefused(scene: Scene): Promise<void> {
  const { check, service, store } = scene;
  const products = { 'NOPE-1': 'PRODUCT_SKU_NOT_FOUND', 'OLD-1': 'PRODUCT_SKU_INACTIVE' };
  for (const [sku, code] of Object.entries(products)) {
    const args = ['--external-order-id', `R-${sku}`, '--phone', '99112233', '--item', sku, '--prepaid'];
    const refused = await create(scene, args);
    check(code, refused.exitCode === 5 && refused.error.serviceCode === code, refused.seen);
  }
  const usual = ['--phone', '99112233', '--item', 'TEA-001'];
  const wrong: Record<string, string[]> = {
    'customer.phone': ['--external-customer-id', 'C-1', '--item', 'TEA-001', '--prepaid'],
    'items[0].quantity': ['--phone', '99112233', '--item', 'sku=TEA-001,quantity:=0', '--prepaid'],
    collectionMode: [...usual, '--set', 'collectionMode=ON_DELIVERY'],
  };
  for (const [field, args] of Object.entries(wrong)) {
    const refused = await create(scene, ['--external-order-id', `R-${field}`, '--no-checks', ...args]);
    const isRefused = refused.exitCode === 5 && refused.error.code === 'order_refused';
    check(`${field} refused`, isRefused, refused.seen);
    check(
      `${field} named, in the words of the service`,
      names(refused, field, service.words[field]),
      refused.seen,
    );
  }
  check('no refused order exists', (await store()).orders.length === 1, await store());
}

/** Whether the error has the field as the path of the order, and the framework's own words, but no JSON. */
function names({ error }: Run, field: string, words = ''): boolean {
  const { message = '', issues = [] } = error;
  const texts = [message, ...issues.map((issue) => `${issue.path} ${issue.message}`)];
  const isNamed = texts.some((text) => text.includes(field) && text.includes(words));
  return words !== '' && isNamed && !texts.some((text) => /[{}]/.test(text));
}

/** The list with its filters and pages, compared with the service's own store. */
export async function checkLists(scene: Scene): Promise<void> {
  const { check, store } = scene;
  const { orders } = await store();
  const first = orders.filter(({ externalOrderId }) => externalOrderId === firstId);
  const expected = {
    all: orders,
    none: [],
    first,
    cancelled: orders.filter(({ status }) => isCancelled(status)),
  };
  const lists: [flags: string[], expected: keyof typeof expected][] = [
    [['--all'], 'all'],
    [['--all', '--created-from', 'today'], 'all'],
    [['--all', '--created-from', 'yesterday', '--created-to', 'today'], 'all'],
    [['--all', '--created-to', 'yesterday'], 'none'],
    [['--external-order-id', firstId], 'first'],
    [['--customer-phone', first[0]?.body.customer.phone ?? ''], 'first'],
    [['--status', first[0]?.status ?? ''], 'cancelled'],
    [['--page', '99'], 'none'],
  ];
  for (const [flags, wanted] of lists) {
    const listed = await runOne(scene, ['list', ...flags]);
    const ids = ordersOf(listed).map(({ id }) => String(id));
    const wantedIds = expected[wanted].map(({ id }) => id);
    const isEqual = listed.exitCode === 0 && ids.toSorted().join() === wantedIds.toSorted().join();
    check(`list ${flags.join(' ')}`, isEqual, `${ids.length} of ${wantedIds.length} orders\n${listed.seen}`);
  }
  const limited = await runOne(scene, ['list', '--limit', '30']);
  const count = new Set(ordersOf(limited).map(({ id }) => id)).size;
  check('list --limit 30', count === Math.min(30, orders.length), `${count} orders\n${limited.seen}`);
}

function create(scene: Scene, args: string[]) {
  return runOne(scene, ['create', '--yes', ...args]);
}

/** One command to its end, with the key in the environment. `seen` is what a failed check shows. */
export async function runOne(scene: Scene, args: string[]) {
  const env = {
    MERCHANT_ORDERS_CONFIG_DIR: `${scene.folder}/config`,
    MERCHANT_ORDERS_BASE_URL: scene.baseUrl,
    MERCHANT_ORDERS_API_KEY: scene.apiKey,
    TZ: zoneAtNoon(new Date()),
  };
  const { stdout, stderr, exitCode } = await runProgram([...args, '--json'], env);
  const data = parse(stdout) as Record<string, unknown>;
  const lines = stderr.split('\n').map((line) => parse(line) as { error?: ErrorLine });
  const error = lines.find((line) => line.error)?.error ?? {};
  const seen = `merchant-orders ${args.join(' ')}: exit ${exitCode}\n${stdout.slice(0, 400)}\n${stderr.slice(0, 2000)}`;
  return { exitCode, data, error, seen };
}

/** A time zone where it is about noon, so that no day ends between creating and listing. */
function zoneAtNoon(now: Date): string {
  const hoursAhead = 12 - now.getUTCHours();
  // The signs of these names are the other way round.
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
}

function ordersOf({ data }: Run): { id?: unknown }[] {
  return Array.isArray(data.orders) ? data.orders : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
