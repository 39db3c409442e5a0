import { describe, expect, it } from 'vitest';
import { otherChoices } from './contract/other-choices.ts';
import { readCaseFiles } from './contract/read-cases.ts';
import { runCase } from './contract/run-case.ts';

describe('with other choices for all that the document leaves open', () => {
  for (const { section, cases } of readCaseFiles()) {
    for (const contractCase of cases.filter(({ given }) => given?.timeZone === undefined)) {
      it(`${section} › ${contractCase.name}`, async () => {
        expect(await runCase(contractCase, otherChoices)).toEqual([]);
      });
    }
  }
});
