import { describe, expect, it } from 'vitest';
import type { Failure, Operation } from '../../../src/api/http/attempt-result.ts';
import { type Outcome, outcomeOf, outcomeTable } from '../../../src/api/responses/outcome.ts';
import { renderReadme } from '../outcome-readme.ts';
import { responseOf } from '../response.ts';

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
const noSuchOrder: Rules = [
  [404, 404, 'not_found'],
  [405, 405, 'wrong_base_url'],
];
const specific: Record<Operation, { withoutCode: Rules; withCode: Rules }> = {
  create: { withoutCode: [...mayExist, ...notHere], withCode: mayExist },
  list: { withoutCode: notHere, withCode: [] },
  get: { withoutCode: noSuchOrder, withCode: [[404, 404, 'not_found']] },
  cancel: { withoutCode: noSuchOrder, withCode: [[404, 404, 'not_found']] },
};

function table(rules: Rules): [number, Outcome][] {
  return Array.from({ length: 400 }, (_, index) => {
    const status = 200 + index;
    const rule = rules.findLast(([from, to]) => from <= status && status <= to);
    return [status, rule?.[2] as Outcome];
  });
}

function outcomesOf(operation: Operation, body: string): [number, Outcome][] {
  return table(common).map(([status]) => [status, outcomeOf(operation, responseOf(status, body))]);
}

describe.each(['create', 'get', 'list', 'cancel'] as const)('the status of a %s', (operation) => {
  const { withoutCode, withCode } = specific[operation];

  it.each(['', '{}', '<html>gone</html>', '{"error":{"message":"no"}}', '{"code":422}'])(
    'without a service code: %s',
    (body) => {
      expect(outcomesOf(operation, body)).toEqual(table([...common, ...withoutCode]));
    },
  );

  it.each(['{"code":"ID_TAKEN"}', '{"error":{"code":"product_sku_not_found"}}'])(
    'with an unknown service code: %s',
    (body) => {
      expect(outcomesOf(operation, body)).toEqual(table([...common, ...withCode]));
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

  it('is unknown after a success that does not hold what was requested', () => {
    for (const [status, outcome] of table([[200, 299, 'unknown']]).slice(0, 100)) {
      const actual = outcomeOf(operation, responseOf(status, '{"error":"busy"}'), { accepts: () => false });
      expect([status, actual]).toEqual([status, operation === 'create' ? 'no_order' : outcome]);
      expect(outcomeOf(operation, responseOf(status), { accepts: () => true })).toBe('succeeded');
    }
  });

  it('depends on the content of a response only with a 2xx', () => {
    const judged: number[] = [];
    const accepts = ({ status }: { status: number }) => judged.push(status) < 0;
    for (const [status] of table(common)) outcomeOf(operation, responseOf(status), { accepts });
    expect(judged).toEqual(Array.from({ length: 100 }, (_, index) => 200 + index));
  });
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
      table([...common, [400, 499, 'rejected'], ...ofKeyAndRate]),
    );
  });
});

describe('a failure', () => {
  const failure = (mayHaveBeenSent: boolean, isCertificate = false): Failure => {
    return { kind: 'failure', mayHaveBeenSent, isCertificate, reason: '' };
  };

  it.each(['create', 'get', 'list', 'cancel'] as const)('of a %s', (operation) => {
    expect(outcomeOf(operation, failure(true))).toBe('unknown');
    expect(outcomeOf(operation, failure(false))).toBe('not_sent');
    expect(outcomeOf(operation, failure(false, true))).toBe('bad_certificate');
  });
});

describe('the README', () => {
  it('describes every rule differently', () => {
    const words = outcomeTable.map(({ when }) => when);
    expect(new Set(words).size).toBe(words.length);
    expect(words.join()).not.toContain('|');
  });

  it('is generated from the tables; run vitest with -u to update it', async () => {
    const path = new URL('../../../src/api/README.md', import.meta.url).pathname;
    await expect(renderReadme()).toMatchFileSnapshot(path);
  });
});
