import { describe, expect, it } from 'vitest';
import { type AttemptResult, type Operation, operations } from '../../../src/api/http/attempt-result.ts';
import { readOrder } from '../../../src/api/responses/order.ts';
import { type Outcome, outcomeOf } from '../../../src/api/responses/outcome.ts';
import { readOrderPage } from '../../../src/api/responses/page.ts';
import { recognizeNotFound } from '../../../src/api/to-cli-error.ts';
import { renderReadme } from '../outcome-readme.ts';
import { badCertificate, closedWhileIdle, lost, notSent, responseOf } from '../response.ts';
import cases from './outcome.json' with { type: 'json' };

const order = '{"order":{"id":"S-1","externalOrderId":"UB-1"},"data":[]}';
const known = '{"error":{"code":"PRODUCT_SKU_NOT_FOUND","message":"no"}}';

/** What an attempt comes to, and the outcomes of create, get, list and cancel in this order, or one for all. */
const table: [what: string, AttemptResult, outcomes: string, isServiceKnown?: boolean][] = [
  ['200 with what was requested', responseOf(200, order), 'succeeded'],
  ['202 with it', responseOf(202, order), 'succeeded'],
  ['202 with {}', responseOf(202, '{}'), 'no_order unreadable succeeded unknown'],
  ['200 with other JSON', responseOf(200, '{"message":"ok"}'), 'no_order unreadable unreadable unknown'],
  ['200 with an error', responseOf(200, '{"error":{"code":"BUSY"}}'), 'no_order unknown unknown unknown'],
  ['200, cut off', responseOf(200, order.slice(0, -9)), 'no_order unknown unknown unknown'],
  ['200 with a web page', responseOf(200, '<html></html>'), 'no_order unknown unknown unknown'],
  ['200 without a body', responseOf(200), 'no_order unknown unknown unknown'],
  ['204', responseOf(204), 'no_order unknown succeeded unknown'],
  ['404, known', responseOf(404), 'rejected_or_exists not_found wrong_base_url not_found', true],
  ['405, known', responseOf(405), 'rejected_or_exists wrong_base_url wrong_base_url wrong_base_url', true],
  ['503 with a wait', responseOf(503, '', { 'retry-after': '1' }), 'unknown'],
  ...[400, 404, 405, 409, 422].map((status): [string, AttemptResult, string] => {
    return [`${status} with a code of the interface`, responseOf(status, known), 'rejected'];
  }),
  ['401 with a code of the interface', responseOf(401, known), 'key_refused'],
  ['403 with a code of the interface', responseOf(403, known), 'forbidden'],
  ['408 with a code of the interface', responseOf(408, known), 'unknown'],
  ['no response', lost, 'unknown'],
  ['an idle connection that was closed', closedWhileIdle, 'unknown'],
  ['no connection', notSent, 'not_sent'],
  ['a certificate that is not trusted', badCertificate, 'bad_certificate'],
  ['too large a response', { ...lost, isTooLarge: true }, 'unknown unreadable unreadable unknown'],
];

describe.each(operations.map((operation, index) => [operation, index] as const))(
  'a %s: %i',
  (operation, index) => {
    const accepts = (response: ReturnType<typeof responseOf>) =>
      (operation === 'list' ? readOrderPage(response) : readOrder(response.body)) !== undefined;

    it.each(table)('%s', (_what, attemptResult, outcomes, isServiceKnown = false) => {
      const words = outcomes.split(' ');
      expect(outcomeOf(operation, attemptResult, { accepts, isServiceKnown })).toBe(words[index] ?? words[0]);
    });
  },
);

describe('an order that is not there', () => {
  it.each<[Operation, number, code: string, Outcome]>(cases.codes as [Operation, number, string, Outcome][])(
    '%s: %i %s: %s',
    (operation, status, code, outcome) => {
      const response = responseOf(status, JSON.stringify({ code, message: 'no' }));
      expect(recognizeNotFound(operation, outcomeOf(operation, response), response)).toBe(outcome);
    },
  );

  it.each(operations)('%s: is not known from a failure', (operation) => {
    expect(recognizeNotFound(operation, 'unknown', lost)).toBe('unknown');
  });
});

type Rules = readonly (readonly [from: number, to: number, outcome: Outcome])[];

/** Rules for every operation; a later rule overrides an earlier one. */
const common: Rules = [
  [200, 299, 'succeeded'],
  [300, 399, 'wrong_base_url'],
  [400, 499, 'rejected'],
  [401, 401, 'key_refused'],
  [403, 403, 'forbidden'],
  [408, 408, 'unknown'],
  [425, 425, 'unknown'],
  [429, 429, 'throttled'],
  [500, 599, 'unknown'],
];
/** Any other 4xx to a create may mean that an order with this id exists. */
const mayExist: Rules = [
  [400, 400, 'rejected_or_exists'],
  [402, 402, 'rejected_or_exists'],
  [404, 407, 'rejected_or_exists'],
  [409, 424, 'rejected_or_exists'],
  [426, 428, 'rejected_or_exists'],
  [430, 499, 'rejected_or_exists'],
];
const notHere: Rules = [[404, 405, 'wrong_base_url']];
const redirected: Rules = [[300, 399, 'redirected']];
const noSuchOrder: Rules = [
  [404, 404, 'not_found'],
  [405, 405, 'wrong_base_url'],
];
const specific: Record<Operation, { withoutCode: Rules; withCode: Rules }> = {
  create: { withoutCode: [...redirected, ...mayExist, ...notHere], withCode: [...redirected, ...mayExist] },
  list: { withoutCode: notHere, withCode: [] },
  get: { withoutCode: noSuchOrder, withCode: [[404, 404, 'not_found']] },
  cancel: {
    withoutCode: [...redirected, ...noSuchOrder],
    withCode: [...redirected, [404, 404, 'not_found']],
  },
};

function everyStatus(rules: Rules): [number, Outcome][] {
  return Array.from({ length: 400 }, (_, index) => {
    const status = 200 + index;
    const rule = rules.findLast(([from, to]) => from <= status && status <= to);
    return [status, rule?.[2] as Outcome];
  });
}

function outcomesOf(operation: Operation, body: string): [number, Outcome][] {
  return everyStatus(common).map(([status]) => [status, outcomeOf(operation, responseOf(status, body))]);
}

describe.each(['create', 'get', 'list', 'cancel'] as const)('the status of a %s', (operation) => {
  const { withoutCode, withCode } = specific[operation];

  it.each(['', '{}', '<html>gone</html>', '{"error":{"message":"no"}}', '{"code":422}'])(
    'without a service code: %s',
    (body) => {
      expect(outcomesOf(operation, body)).toEqual(everyStatus([...common, ...withoutCode]));
    },
  );

  it.each(['{"code":"ID_TAKEN"}', '{"error":{"code":"product_sku_not_found"}}'])(
    'with an unknown service code: %s',
    (body) => {
      expect(outcomesOf(operation, body)).toEqual(everyStatus([...common, ...withCode]));
    },
  );
});

describe.each(['create', 'get', 'list', 'cancel'] as const)('a %s', (operation) => {
  it.each([0, 1, 99, 100, 101, 102, 103, 199, 600, 999, -1, Number.NaN])(
    'is unknown after an undefined status: %s',
    (status) => {
      for (const body of ['', '{"code":"PRODUCT_SKU_NOT_FOUND"}']) {
        expect(outcomeOf(operation, responseOf(status, body))).toBe('unknown');
      }
    },
  );
});

describe('a code of the interface', () => {
  it.each([
    'PRODUCT_SKU_NOT_FOUND',
    'PRODUCT_SKU_INACTIVE',
    'CUSTOMER_PHONE_AMBIGUOUS',
    'MERCHANT_API_INVALID_ORDER',
  ])('%s means rejected with every 4xx to a create but 401, 403, 408, 425 and 429', (code) => {
    const ofKeyAndRate = common.filter(([status]) => [401, 403, 408, 425, 429].includes(status));
    expect(outcomesOf('create', JSON.stringify({ error: { code } }))).toEqual(
      everyStatus([...common, ...redirected, [400, 499, 'rejected'], ...ofKeyAndRate]),
    );
  });
});

it('is what the README says; run vitest with -u to update it', async () => {
  const path = new URL('../../../src/api/README.md', import.meta.url).pathname;
  await expect(renderReadme()).toMatchFileSnapshot(path);
});
