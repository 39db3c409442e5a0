import { expect } from 'vitest';
import { type Sequences, under } from './sequence.ts';

const two = { flags: ['--concurrency', '2'] };

export const twoRuns: Sequences = {
  'the second finds an order of the first in flight': async (shop) => {
    const first = await shop.startImport('hold');
    const result = await shop.import();
    expect((await first.end()).exitCode).toBe(0);
    return result;
  },
  'the second finds it edited': async (shop) => {
    const first = await shop.startImport('hold');
    shop.file.edit('A', { total: '2000' });
    const result = await shop.import();
    expect((await first.end()).exitCode).toBe(0);
    return result;
  },
  'the second has another order too': async (shop) => {
    const first = await shop.startImport('hold');
    shop.file.add('B');
    const result = await shop.import();
    expect((await first.end()).exitCode).toBe(0);
    return result;
  },
  'the first waits for its response': async (shop) => {
    const first = await shop.startImport('hold_response');
    const result = await shop.import();
    expect((await first.end()).exitCode).toBe(0);
    return result;
  },
  'the second again, after the first has ended': async (shop) => {
    const first = await shop.startImport('hold');
    await shop.expectImport('A not_sent in_other_run', 7);
    await first.end();
    return shop.import();
  },
  'the second again, after the first ended unknown': async (shop) => {
    const first = await shop.startImport('hold');
    await shop.expectImport('A not_sent in_other_run', 7);
    shop.treatCreatesOf('A', 'drop');
    shop.gateway.breakHeld();
    expect((await first.end()).exitCode).toBe(8);
    shop.treatCreatesOf('A', 'pass');
    return shop.import();
  },
  'a dry run while a run is under way': async (shop) => {
    const first = await shop.startImport('hold');
    const result = await shop.import({ flags: ['--dry-run'] });
    expect(result.requests).toBe(0);
    await first.end();
    return result;
  },
  'both have the same two orders': async (shop) => {
    shop.file.add('B');
    const first = await shop.startImport('hold');
    await shop.expectImport('A not_sent in_other_run; B created by run 2', 7, two);
    return first.end();
  },
  'two machines, the response of the first is under way': async (shop) => {
    const first = await shop.startImport('hold_response');
    await shop.expectImport('A already_exists by no run', 0, { on: 'second' });
    return first.end();
  },
  'two machines, the request of the first is under way': async (shop) => {
    const first = await shop.startImport('hold');
    await shop.expectImport('A created by run 2', 0, { on: 'second' });
    return first.end();
  },
  'two machines, the request of the first is under way, keys forgotten': under(
    { keys: { repeated: 'ignored', kept: 'nothing' } },
    async (shop) => {
      const first = await shop.startImport('hold');
      await shop.expectImport('A created by run 2', 0, { on: 'second' });
      return first.end();
    },
  ),
  'two machines, other content': async (shop) => {
    const first = await shop.startImport('hold_response');
    shop.file.edit('A', { total: '2000' });
    const result = await shop.import({ on: 'second' });
    expect((await first.end()).exitCode).toBe(0);
    return result;
  },
  'two machines, other content, the second is first': async (shop) => {
    const first = await shop.startImport('hold');
    shop.file.edit('A', { total: '2000' });
    await shop.expectImport('A created by run 2', 0, { on: 'second' });
    return first.end();
  },
  'the first has been in flight for eleven minutes': async (shop) => {
    const first = await shop.startImport('hold');
    shop.wait(11);
    const result = await shop.import();
    await first.end();
    return result;
  },
};
