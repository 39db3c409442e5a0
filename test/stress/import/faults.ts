import type { FaultSettings } from '../../../src/sandbox/behaviour/fault-settings.ts';

type Rules = NonNullable<NonNullable<FaultSettings>['rules']>;

const close = { kind: 'close' } as const;
const reset = { kind: 'reset' } as const;
const failures = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
] as const;

/**
 * Responses lost before and after the commit, resets, 5xx, cut bodies and late commits: one create in six. With
 * `storesFailures` there is no 5xx for a request that was not processed, because its key would get the 5xx forever.
 */
export function mixedFaults(seed: string, storesFailures: boolean): FaultSettings {
  const after: Rules[number]['do'][] = [
    ...[reset, close, close],
    ...[{ kind: 'cut_body' } as const, { kind: 'cut_body', afterBytes: 0 } as const],
    { kind: 'status', status: 201, body: 'nothing' },
    { kind: 'status', status: 502, body: 'html' },
  ];
  const before: Rules[number]['do'][] = [
    ...[reset, close],
    ...(storesFailures ? [] : failures),
    ...[{ kind: 'late_commit', seconds: 0.05 } as const, { kind: 'late_commit', seconds: 0.4 } as const],
  ];
  const match = { route: 'create', probability: 0.014 } as const;
  return {
    seed,
    rules: [
      ...after.map((act) => ({ match, when: 'after_commit' as const, do: act })),
      ...before.map((act) => ({ match, when: 'before_commit' as const, do: act })),
      { match: { route: 'list', probability: 0.05 }, when: 'after_commit', do: reset },
    ],
  };
}

/** All late commits of these faults happen within this time. */
export const latestCommitMilliseconds = 500;

/** Every create gets its response so long after the commit that few orders pass while the next kill is decided. */
export const delayResponses: FaultSettings = {
  rules: [{ match: { route: 'create' }, when: 'after_commit', do: { kind: 'wait', seconds: 0.1 } }],
};

/** For one create in ten of the orders that match `externalOrderId`, the response is lost after the commit. */
export function loseResponses(externalOrderId: string): FaultSettings {
  const match = { route: 'create', externalOrderId, probability: 0.1 } as const;
  return { rules: [{ match, when: 'after_commit', do: close }] };
}
