import { describe, expect, it } from 'vitest';
import { CliError } from '../../../src/errors.ts';
import { defaultBehaviour, parseBehaviour } from '../../../src/sandbox/behaviour/parse.ts';
import { start } from '../start.ts';
import cases from './parse.json' with { type: 'json' };

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

  it.each(cases.rejected as [object, string][])('rejects %j and names the setting', (settings, problem) => {
    expect(problemOf(settings)).toBe(`mine.json is not a valid behaviour: ${problem}.`);
  });

  it.each([
    [{ code: 'OUT_OF_STOCK' }, undefined],
    [{ code: '' }, 'do.code'],
  ])('checks the code of a status: %j', (fields, wrong) => {
    const action = { kind: 'status', status: 409, ...fields };
    const settings = { faults: { rules: [{ when: 'before_commit', do: action }] } };
    if (wrong === undefined) expect(() => parseBehaviour(settings, 'x')).not.toThrow();
    else expect(problemOf(settings)).toContain(`faults.rules[0].${wrong}`);
  });

  it('rejects a value that is not an object, and reports several errors', () => {
    expect(problemOf([])).toBe(
      'mine.json is not a valid behaviour: Invalid input: expected object, received array.',
    );
    const both = problemOf({ keys: { kept: 1 }, paging: { dates: 'none' } });
    expect(both).toMatch(/ keys\.kept: Invalid option.*[;.]/);
    expect(both).toMatch(/ paging\.dates: Invalid option.*[;.]/);
    expect(both.split('; ')).toHaveLength(2);
  });

  it('stops a sandbox from starting when it is invalid', async () => {
    await expect(start({ behaviour: { keys: { kept: 'some' as never } } })).rejects.toMatchObject({
      code: 'file_invalid',
      message: expect.stringContaining('keys.kept: Invalid option: expected one of'),
    });
  });
});
