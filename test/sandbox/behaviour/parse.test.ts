import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import {
  defaultBehaviour,
  findPackaged,
  parseBehaviour,
  parseBehaviourFile,
} from '../../../src/sandbox/behaviour/parse.ts';
import { start } from '../start.ts';

function problemOf(settings: unknown): string {
  try {
    parseBehaviour(settings, 'mine.json');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    expect([error.code, error.details.hint]).toEqual([
      'file_invalid',
      'Every setting and its values: fixtures/behaviours/README.md',
    ]);
    return error.message;
  }
  throw new Error('the behaviour was accepted');
}

describe('a behaviour', () => {
  it('uses the default for every setting that is not set', () => {
    expect(parseBehaviour({}, 'x')).toEqual(defaultBehaviour);
    const settings = { keys: { repeated: 'ignored' }, refusals: { orderUnknown: { status: 410 } } };
    expect(parseBehaviour(settings, 'x')).toEqual({
      ...defaultBehaviour,
      keys: { ...defaultBehaviour.keys, repeated: 'ignored' },
      refusals: { ...defaultBehaviour.refusals, orderUnknown: { status: 410, code: 'ORDER_NOT_FOUND' } },
    });
  });

  it('can be written as JSON and read again', () => {
    expect(parseBehaviour(JSON.parse(JSON.stringify(defaultBehaviour)), 'x')).toEqual(defaultBehaviour);
  });

  it.each([
    [
      { keys: { repeated: 'replay' } },
      'keys.repeated has a wrong value; allowed: replayed, refused, ignored',
    ],
    [{ answers: { createStatus: '201' } }, 'answers.createStatus has a wrong value; allowed: 201, 200, 202'],
    [{ keys: { required: 'yes' } }, 'keys.required has a wrong value; allowed: true, false'],
    [
      { keys: { longest: 0 } },
      'keys.longest has a wrong value; allowed: a whole number of 1 or more or null',
    ],
    [
      { paging: { ignoredParameters: ['status', 'colour'] } },
      'paging.ignoredParameters has a wrong value; allowed: a list, each one of externalOrderId, orderNumber, status, customerPhone, createdFrom, createdTo, page, pageSize',
    ],
    [
      { orders: { states: 'OPEN' } },
      'orders.states has a wrong value; allowed: a list, each a name without spaces',
    ],
    [{ orders: { cancelled: '' } }, 'orders.cancelled has a wrong value; allowed: a name without spaces'],
    [
      { orders: { states: ['OPEN'] } },
      'orders.cancellable names a state that is neither in states nor the cancelled state',
    ],
    [
      { refusals: { orderUnknown: { status: 404, text: 'gone' } } },
      'refusals.orderUnknown.text is not a setting; refusals.orderUnknown has status, code',
    ],
    [
      { key: {} },
      'key is not a setting; there are name, description, scopes, customers, orders, deliveries, limits, answers, paging, keys, refusals, faults',
    ],
    [
      { faults: { rules: [{ when: 'after_commit', do: { kind: 'stall', second: 1 } }] } },
      'faults.rules[0].do.second: unknown; allowed: kind, seconds',
    ],
    [
      { deliveries: true },
      'deliveries is not an object; it has createdAtOnce, createdFor, states, cancelled, whenOrderCancelled',
    ],
  ])('rejects %j and lists what is allowed', (settings, problem) => {
    expect(problemOf(settings)).toBe(`mine.json is not a valid behaviour: ${problem}.`);
  });

  it('rejects a fault that is impossible at that time', () => {
    const rules = [{ when: 'before_commit', do: { kind: 'slow_drip' } }];
    expect(problemOf({ faults: { rules } })).toContain(
      'faults.rules[0].do.kind: slow_drip needs "when": "after_commit"',
    );
  });

  it.each([
    [{ code: 'OUT_OF_STOCK' }, undefined],
    [{ code: '' }, 'do.code'],
    [{ headers: { 'X-Reason': 'stock' } }, undefined],
    [{ headers: { 'X Reason': 'stock' } }, 'do.headers'],
  ])('checks the code and the headers of a status: %j', (fields, wrong) => {
    const action = { kind: 'status', status: 409, ...fields };
    const settings = { faults: { rules: [{ when: 'before_commit', do: action }] } };
    if (wrong === undefined) expect(() => parseBehaviour(settings, 'x')).not.toThrow();
    else expect(problemOf(settings)).toContain(`faults.rules[0].${wrong}`);
  });

  it('rejects a value that is not an object, and reports several errors', () => {
    expect(problemOf([])).toBe(
      'mine.json is not a valid behaviour: it is not an object; it has name, description, scopes, customers, orders, deliveries, limits, answers, paging, keys, refusals, faults.',
    );
    const both = problemOf({ keys: { kept: 1 }, paging: { order: 'none' } });
    expect(both).toMatch(/ keys\.kept has .*[;.]/);
    expect(both).toMatch(/ paging\.order has .*[;.]/);
    expect(both.split('; ')).toHaveLength(4);
  });

  it('stops a sandbox from starting when it is invalid', async () => {
    await expect(start({ behaviour: { keys: { kept: 'some' as never } } })).rejects.toMatchObject({
      code: 'file_invalid',
      message: expect.stringContaining('keys.kept has a wrong value'),
    });
  });
});

describe('a behaviour file', () => {
  it('gives its name to the behaviour unless it sets one', () => {
    expect(parseBehaviourFile('{}', '/a/b.c/mine.json').name).toBe('mine');
    expect(parseBehaviourFile('{}', 'a\\mine.JSON').name).toBe('mine');
    expect(parseBehaviourFile('{"name":"ours"}', 'mine.json').name).toBe('ours');
  });

  it('is reported with its name when it is not JSON', () => {
    const invalid = expect.objectContaining({
      code: 'file_invalid',
      message: expect.stringMatching(/^mine\.json is not JSON: .*\.$/),
    });
    expect(() => parseBehaviourFile('{', 'mine.json')).toThrow(invalid);
  });

  it.each(['./stripe-like', 'stripe-like.json', '/stripe-like', 'a/b'])(
    'is given by the path %s',
    async (path) => {
      expect(
        await findPackaged(path, () => Promise.reject(new Error('the list is not needed'))),
      ).toBeUndefined();
    },
  );

  it('can be named; an error for an unknown name lists all names', async () => {
    const list = async () => ['README.md', 'a.json', 'b-c.json'];
    expect(await findPackaged('b-c', list)).toBe('b-c.json');
    await expect(findPackaged('README', list)).rejects.toMatchObject({
      code: 'usage',
      message: 'There is no behaviour called README.',
      details: { hint: 'Give a file, such as ./README.json, or one of: a, b-c' },
    });
  });
});
