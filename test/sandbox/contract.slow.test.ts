import { describe, expect, it } from 'vitest';
import type { BehaviourSettings } from '../../src/sandbox/behaviour/schema.ts';
import choices from './contract/other-choices.json' with { type: 'json' };
import { readCaseFiles } from './contract/read-cases.ts';
import { runCase } from './contract/run-case.ts';

/** Another value than the default for everything that the document leaves open; its statements must still hold. */
const otherChoices = choices as BehaviourSettings;

describe('with other choices for all that the document leaves open', () => {
  for (const { section, cases } of readCaseFiles()) {
    for (const contractCase of cases.filter(({ given }) => given?.timeZone === undefined)) {
      it(`${section} › ${contractCase.name}`, async () => {
        expect(await runCase(contractCase, otherChoices)).toEqual([]);
      });
    }
  }
});
