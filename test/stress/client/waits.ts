import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { openSandboxDatabase } from '../../sandbox/database.ts';
import { retryAfterForms } from '../../support/odd-service/retry-after.ts';
import { startOddService } from '../../support/odd-service/service.ts';
import { connect, type PromiseResult } from './connect.ts';
import { createMany } from './create-many.ts';

/** Whole seconds, which the odd service writes in another form. */
const seconds = 2;
const orders = 24;
interface Attempt {
  idempotencyKey: string;
  notBefore: number | null;
}

/** Forms that request no wait. */
const withoutWait = new Set(['zero', 'negative', 'past_date', 'garbage']);

/**
 * Promise 5: every form of Retry-After, with 429 and with 503, with eight orders at a time. From reading the response to
 * the end of the wait in the service's log, nothing is sent.
 */
export async function measureWaits(): Promise<PromiseResult> {
  const forms = Object.keys(retryAfterForms);
  const measurements = forms.flatMap((form) => [429, 503].map((status) => measureForm(form, status)));
  const all = await Promise.all(measurements);
  const early = all.reduce((sum, one) => sum + one.early, 0);
  const ignored = all.filter((one) => one.isIgnored).length;
  const missing = all.reduce((sum, one) => sum + one.missing, 0);
  return {
    number: 5,
    promise: 'every Retry-After form: never early, never ignored',
    figures: { forms: forms.length, services: all.length, early, ignored, missing },
    isKept: early + ignored + missing === 0,
  };
}

async function measureForm(form: string, status: number) {
  const sandbox = await startSandbox({
    database: await openSandboxDatabase(':memory:'),
    anySku: true,
    behaviour: {
      faults: {
        rules: [
          {
            match: { route: 'create', externalOrderId: 'A-1*', attempt: 1 },
            when: 'before_commit',
            do: { kind: 'status', status, retryAfter: seconds },
          },
        ],
      },
    },
    now: Date.now,
    randomUuid: randomUUID,
  });
  const service = await startOddService(sandbox.baseUrl, { retryAfter: form });
  const sends: number[] = [];
  /** When a response with a wait was read, by the key of the order. */
  const readAt = new Map<string, number>();
  const client = connect(service.baseUrl, sandbox.apiKey, {}, (send) => async (httpRequest, ...rest) => {
    sends.push(Date.now());
    const result = await send(httpRequest, ...rest);
    const key = httpRequest.headers?.['idempotency-key'] ?? '';
    if (result.kind === 'response' && result.status === status) readAt.set(key, Date.now());
    return result;
  });
  const started = performance.now();
  const missing = orders - (await createMany(client, orders, 8));
  const elapsed = performance.now() - started;
  const headers = { authorization: `Bearer ${sandbox.adminToken}` };
  const { body } = await request(`${sandbox.baseUrl}/_sandbox/ledger`, { headers });
  const { attempts } = (await body.json()) as { attempts: Attempt[] };
  const waits = attempts.flatMap(({ idempotencyKey, notBefore }) => {
    const since = readAt.get(idempotencyKey);
    return notBefore === null || since === undefined || withoutWait.has(form)
      ? []
      : [{ since, until: notBefore }];
  });
  const early = sends.filter((at) => waits.some(({ since, until }) => at > since && at < until)).length;
  await client.close();
  await service.stop();
  await sandbox.stop();
  return { early, missing, isIgnored: !withoutWait.has(form) && elapsed < seconds * 1000 };
}
