import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOrderFinder } from '../../src/api/pages/order-finder.ts';
import { runCli } from '../support/cli.ts';
import { type Reply, startStubService, startWithClient } from './stub-service.ts';

/** `body` is JSON, `raw` a text, `base64` bytes. */
interface Sent {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string;
  base64?: string;
}

interface ListShape {
  name: string;
  example: Sent;
  empty?: Sent;
  orders: number;
  total: number | null;
  hasNext: boolean | null;
  emptyProof?: boolean;
}

interface OrderShape extends Sent {
  name: string;
  outcome: 'order' | 'not_an_order';
}

interface Issue {
  path: string;
  message: string;
}

interface RejectionShape extends Sent {
  name: string;
  code: string | null;
  mustContain: string[];
  mustNotContain: string[];
  fields: string[];
}

const read = <Row>(file: string): Row[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/responses/${file}`, import.meta.url), 'utf8'));
const lists = read<ListShape>('lists.json');
const orders = read<OrderShape>('orders.json');
const rejections = read<RejectionShape>('rejections.json');
const named = <Row extends { name: string }>(rows: Row[]) => rows.map((row) => [row.name, row] as const);

const replyOf =
  ({ status = 200, headers = {}, body, raw, base64 }: Sent): Reply =>
  (response) => {
    const text = raw ?? (body === undefined ? '' : JSON.stringify(body));
    const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(bytes);
  };

async function runAgainst(reply: (method: string) => Reply, args: string[]) {
  const { env } = await startStubService(({ method }) => reply(method));
  const { stdout, stderr, exitCode } = await runCli([...args, '--json'], { env });
  return { exitCode, stderr, stdout, data: stdout === '' ? undefined : JSON.parse(stdout) };
}

describe('a list', () => {
  it.each(named(lists))('%s', async (_name, { example, orders: count, total, hasNext }) => {
    const { exitCode, data } = await runAgainst(() => replyOf(example), ['list']);
    expect({ exitCode, count: data?.orders.length, total: data?.total }).toEqual({
      exitCode: 0,
      count,
      total,
    });
    expect(data.orders[0]).toMatchObject({ id: expect.stringMatching(/0001$/), externalOrderId: 'A1' });
    if (hasNext !== null) expect(data.nextPage !== null).toBe(hasNext);
  });

  const empties = lists.filter(({ empty }) => empty !== undefined);
  it.each(named(empties))('without orders: %s', async (_name, { empty = {}, emptyProof }) => {
    const listed = await runAgainst(() => replyOf(empty), ['list']);
    expect(listed).toMatchObject({ exitCode: 0, stderr: 'No orders.\n', data: { orders: [] } });
    const { client } = await startWithClient(() => replyOf(empty));
    const { kind } = await createOrderFinder(client).find('A1');
    expect(kind).toBe(emptyProof ? 'absent' : 'unsettled');
  });
});

describe('an id that is a number, longer than those of JavaScript', () => {
  const order = { id: 'ID', orderNumber: 'ORD-1', externalOrderId: 'Q1', collectionMode: 'NONE' };
  const raw = (value: unknown) =>
    replyOf({ raw: JSON.stringify(value).replace('"ID"', '90071992547400010001') });

  it('keeps its digits, in a create and in a lookup', async () => {
    const create = ['create', '--external-order-id', 'Q1', '--phone', '99112233', '--item', 'T', '--prepaid'];
    const created = await runAgainst(() => raw(order), create);
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('90071992547400010001') });
    const { client } = await startWithClient(() => raw({ orders: [order], total: 1 }));
    expect(await createOrderFinder(client).find('Q1')).toMatchObject({
      orders: [{ id: '90071992547400010001' }],
    });
  });
});

describe('the response to a create', () => {
  const create = ['create', '--external-order-id', 'Q1', '--phone', '99112233', '--item', 'TEA-001'];
  const flags = ['--collect', '45000', '--total', '45000', '--timeout', '2'];

  it.each(named(orders))('%s', async (_name, shape) => {
    const none: Reply = { json: { orders: [] } };
    const reply = (method: string) => (method === 'POST' ? replyOf(shape) : none);
    const { exitCode, data } = await runAgainst(reply, [...create, ...flags]);
    if (shape.outcome === 'order') expect([exitCode, data?.id]).toEqual([0, expect.stringMatching(/0001$/)]);
    else expect([exitCode, data]).toEqual([8, undefined]);
  });

  it('is that of the order that is not cancelled, where the list shows both', async () => {
    const sent = { externalOrderId: 'Q1', customer: { phone: '99112233' }, items: [{ sku: 'TEA-001' }] };
    const amounts = { collectionMode: 'COLLECT', collectionAmount: '45000', total: '45000' };
    const [cancelled, live] = ['CANCELLED', 'CONFIRMED'].map((status, n) => ({
      id: `S-${n}`,
      status,
      ...sent,
      ...amounts,
    }));
    const list: Reply = { json: { orders: [cancelled, live], total: 2 } };
    const reply = (method: string): Reply => (method === 'POST' ? { status: 409 } : list);
    const { exitCode, data } = await runAgainst(reply, [...create, ...flags]);
    expect([exitCode, data?.id]).toEqual([0, 'S-1']);
  });

  const sectionCodes = ['PRODUCT_SKU_NOT_FOUND', 'PRODUCT_SKU_INACTIVE', 'CUSTOMER_PHONE_AMBIGUOUS'];
  it.each(named(rejections))('that rejects it: %s', async (_name, shape) => {
    const none: Reply = { json: { orders: [] } };
    const reply = (method: string) => (method === 'POST' ? replyOf(shape) : none);
    const { stderr } = await runAgainst(reply, [...create, ...flags]);
    const { error } = JSON.parse(stderr);
    const shown = [
      error.message,
      ...(error.issues ?? []).map((issue: Issue) => `${issue.path}: ${issue.message}`),
    ];
    const text = shown.join('\n');
    for (const words of [...shape.mustContain, ...shape.fields])
      expect(text.toLowerCase()).toContain(words.toLowerCase());
    for (const words of shape.mustNotContain) expect(text).not.toContain(words);
    const isOfSection = [...sectionCodes, 'MERCHANT_API_INVALID_ORDER'].includes(error.serviceCode);
    expect(isOfSection ? error.serviceCode : null).toBe(shape.code);
  });
});
