import { describe, expect, it } from 'vitest';
import { listPage } from '../../src/api/pages/list-orders.ts';
import { createRequest, describeRequest, getRequest } from '../../src/api/requests.ts';
import { apiKey, lost, orders, type Reply, startWithClient } from './stub-service.ts';

describe('the trace of a client', () => {
  it('shows every request with its result, and never the API key', async () => {
    const lines: string[] = [];
    const replies: Reply[] = [lost, { status: 429, headers: { 'retry-after': '2' } }, { json: [] }];
    const trace = (line: string) => lines.push(line);
    const { client } = await startWithClient(() => replies.shift() as Reply, {
      trace: (line) => void trace(line),
    });
    await listPage(client, { customerPhone: '+976 99' });
    expect(lines).toEqual([
      'GET /api/v1/merchant/orders?customerPhone=%2B976+99 → the connection was closed (0 ms)',
      'list: unknown, next attempt in 0.1 s',
      'GET /api/v1/merchant/orders?customerPhone=%2B976+99 → 429 (0 ms)',
      'list: throttled, next attempt in 2.1 s',
      'GET /api/v1/merchant/orders?customerPhone=%2B976+99 → 200 (0 ms)',
    ]);
    expect(lines.join()).not.toContain(apiKey);
  });
});

describe('a response that makes the program fail', () => {
  it('leaves it unknown whether the request was processed', async () => {
    const { client } = await startWithClient(() => ({ status: 201, json: {} }));
    const accepts = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    const { outcome, attemptResult, sawUnknown } = await client.call('create', createRequest('{}', 'K-1'), {
      accepts,
      resendsUnknown: false,
    });
    const reason = 'reason' in attemptResult ? `${attemptResult.reason}` : '';
    expect({ outcome, sawUnknown, reason }).toEqual({
      outcome: 'unknown',
      sawUnknown: true,
      reason: 'the response could not be read (Maximum call stack size exceeded)',
    });
  });
});

describe('describeRequest', () => {
  it('shows the request, numbers as written', () => {
    const request = createRequest('{"externalOrderId":"UB-1","weight":1.10}', 'K-1');
    const shown = describeRequest(request, `https://e.mn${orders}`);
    expect(shown).toMatchObject({
      method: 'POST',
      url: `https://e.mn${orders}`,
      headers: { 'idempotency-key': 'K-1' },
      body: { externalOrderId: 'UB-1', weight: { value: '1.10' } },
    });
    expect(describeRequest(getRequest('S-1'), '{base_url}').url).toBe('{base_url}/S-1');
  });
});
