import type { ApiClient } from '../../api/client.ts';
import { checkAddress } from '../../api/operations/check-address.ts';
import type { Creation } from '../../api/operations/create.ts';
import { nextStep } from '../../api/pacing/next-step.ts';
import type { CliError } from '../../errors.ts';
import type { Canary } from './context.ts';

/** Reads the list once; if that does not prove it to be the service, one create goes first, alone. */
export function createCanary(client: ApiClient): Canary {
  let check: Promise<boolean> | undefined;
  let first: Promise<CliError | undefined> | undefined;
  return {
    async run(create) {
      check ??= checkAddress(client);
      if (await check) return create();
      if (first === undefined) {
        const creation = create();
        first = creation.then(stopOf);
        return creation;
      }
      const error = await first;
      if (error !== undefined) throw error;
      return create();
    },
  };
}

/** The error of a create that concerns all orders, so that no other may be sent. */
export function stopOf(creation: Creation): CliError | undefined {
  if (!('result' in creation)) return undefined;
  const { outcome, stop, spentTimeoutMilliseconds } = creation.result;
  // The time of one order says nothing about others.
  if (spentTimeoutMilliseconds !== undefined) return undefined;
  const concernsAll =
    creation.outcome === 'not_sent' || outcome === 'forbidden' || nextStep(outcome) === 'stop';
  return concernsAll || stop !== undefined ? creation.lastError : undefined;
}
