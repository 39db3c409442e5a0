import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { foldHeader } from '../src/import/columns/header.ts';
import {
  findRemembered,
  forgetMappings,
  mappingIn,
  markUsed,
  maxMappings,
  remember,
} from '../src/mappings/remembered-mappings.ts';
import type { JsonObject } from '../src/orders/json.ts';
import { createMappingStore } from '../src/system/configuration-files.ts';
import { createPrivateDirectory } from '../src/system/private-files.ts';
import { newDirectory } from './system/private-mode.ts';

const day = 24 * 60 * 60 * 1000;
const shop: JsonObject = { columns: { externalOrderId: 'No', total: 'Total' } };

/** A store of its own; `profile` and `days` may be changed between the calls. */
function open(directory = join(newDirectory(), 'config')) {
  const now = { profile: 'shop', days: 0 };
  const context = {
    mappings: createMappingStore(createPrivateDirectory(directory, () => undefined)),
    identity: async () => ({ profile: now.profile }) as never,
    clock: { now: () => Date.UTC(2026, 10, 20) + now.days * day } as never,
  };
  const add = (columns: string, mapping = shop, file = 'orders.csv') =>
    remember(context, { file, header: { cells: columns.split('|') }, mapping, seen: { Pago: ['tarjeta'] } });
  const find = (columns: string) => findRemembered(context, { cells: columns.split('|') });
  const names = async () => (await context.mappings.read()).mappings.map(({ name }) => name);
  return { now, context, directory, add, find, names };
}

describe('a remembered mapping', () => {
  it('is found by its columns, in any order, with blank and _ columns beside them', async () => {
    const { add, find } = open();
    await add('No|Total|Pago|');
    const found = { name: 'orders', mapping: shop, seen: { Pago: ['tarjeta'] } };
    const whole = { ...found, newColumns: [], missingColumns: [], lacksPrefix: false };
    for (const columns of ['No|Total|Pago', 'pago|| NO |total', '_row|No|Total|Pago|_error'])
      expect(await find(columns)).toEqual(whole);
    expect(await find('Other|Columns|Altogether')).toBeUndefined();
  });

  it('is found for a file with new columns, or without ignored ones, and says which', async () => {
    const { add, find } = open();
    await add('No|Total|Pago|Nota', { ...shop, ignore: ['nota', 'Pago'] });
    expect(await find('No|Total|Pago|Nota|Estado')).toMatchObject({
      newColumns: ['Estado'],
      missingColumns: [],
    });
    expect(await find('No|Total|Pago|A|B|C')).toMatchObject({
      newColumns: ['A', 'B', 'C'],
      missingColumns: ['Nota'],
    });
    expect(await find('Total|Pago|Nota'), 'without the order ID').toBeUndefined();
    expect(await find('No|Pago|Nota'), 'without a column that it reads').toBeUndefined();
    expect(await find('No|Total|Nota'), 'without the values for which it holds').toBeUndefined();
  });

  it('counts a column of which there are two', async () => {
    const { add, find } = open();
    await add('No|Total|City|City', { ...shop, ignore: ['City'] });
    expect(await find('No|Total|City|City|City')).toMatchObject({ newColumns: ['City#3'] });
    expect(await find('No|Total|City')).toMatchObject({ newColumns: ['City'] });
  });

  it('is not found where columns of the same name may have changed places', async () => {
    const { add, find } = open();
    await add('No|Phone|City|Phone');
    expect(await find('No|Phone|City|Phone|Note')).toMatchObject({ newColumns: ['Note'] });
    expect(await find('No|phone|PHONE|City')).toBeUndefined();
    expect(await find('Phone|City|No|Phone')).toBeUndefined();
  });

  it('needs no order ID when it adds to the preset of a shop, whose columns it has', async () => {
    const { add, find } = open();
    await add('A|B|C|D', { unpaid: 'prepaid', ignore: ['D'] });
    expect(await find('A|B|C')).toMatchObject({ name: 'orders', missingColumns: ['D'] });
    expect(await find('A|B|D')).toBeUndefined();
  });

  it('is the exact one when another one is near', async () => {
    const { add, find } = open();
    await add('No|Total|Pago|Nota|A');
    await add('No|Total|Pago|Nota', { columns: { externalOrderId: 'No' } });
    expect(await find('No|Total|Pago|Nota')).toMatchObject({ name: 'orders-2', newColumns: [] });
    expect(await find('No|Total|Pago|Nota|A')).toMatchObject({ name: 'orders', newColumns: [] });
  });

  it('takes the place of an earlier one for the same columns, under its name', async () => {
    const { add, find, names } = open();
    await add('No|Total');
    await add('total|no', { columns: { externalOrderId: 'No' } }, 'other.csv');
    expect(await names()).toEqual(['orders']);
    expect(await find('No|Total')).toMatchObject({ mapping: { columns: { externalOrderId: 'No' } } });
  });

  it('keeps the digits of its numbers', async () => {
    const { context, add } = open();
    const { parseJson } = await import('../src/orders/json.ts');
    await add('No', parseJson('{"constants": {"n": 12345678901234567890.10}}') as JsonObject);
    const [stored] = (await context.mappings.read()).mappings;
    expect(String((mappingIn(stored as never).constants as JsonObject).n)).toBe('12345678901234567890.10');
  });

  it('is found in any order of any columns', async () => {
    const name = fc.string({ minLength: 1, maxLength: 8 });
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 8, selector: foldHeader });
    await fc.assert(
      fc.asyncProperty(
        names.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        async ([columns, shuffled]) => {
          const { context } = open();
          await remember(context, { file: 'a', header: { cells: columns }, mapping: {}, seen: {} });
          const found = await findRemembered(context, { cells: shuffled });
          const named = columns.some((name) => name.trim() !== '' && !name.trim().startsWith('_'));
          expect(found).toEqual(
            named
              ? { name: 'a', mapping: {}, seen: {}, newColumns: [], missingColumns: [], lacksPrefix: false }
              : undefined,
          );
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('the file of remembered mappings', () => {
  it('is reported and left as it is when it is damaged', async () => {
    const { add, find, context } = open();
    await add('No');
    const text = '{"mappings": [{"name": 7}]}';
    writeFileSync(context.mappings.path, text);
    const error = { code: 'configuration_invalid' };
    await expect(find('No')).rejects.toMatchObject(error);
    await expect(add('Total')).rejects.toMatchObject(error);
    expect(readFileSync(context.mappings.path, 'utf8')).toBe(text);
  });

  it('drops the mappings that were unused for longest, and says which', async () => {
    const { add, names, now, context } = open();
    for (let index = 0; index < maxMappings; index++) {
      now.days = index;
      await add(`No ${index}`, {}, `file ${index}.csv`);
    }
    now.days = maxMappings;
    await markUsed(context, 'file-0');
    expect(await add('New', {}, 'new.csv')).toEqual({ name: 'new', removed: ['file-1'] });
    expect(await names()).toHaveLength(maxMappings);
    expect(await names()).toContain('file-0');
  });

  it('stays below what is read, and refuses a mapping that is too large alone', async () => {
    const { add, names, now } = open();
    const large = (length: number): JsonObject => ({ constants: { text: 'x'.repeat(length) } });
    for (now.days = 0; now.days < 4; now.days++) await add(`No ${now.days}`, large(300_000));
    expect(await names()).toEqual(['orders-2', 'orders-3', 'orders-4']);
    await expect(add('Other', large(1_000_000))).rejects.toMatchObject({ code: 'usage' });
    expect(await names()).toEqual(['orders-2', 'orders-3', 'orders-4']);
  });

  it('forgets the mappings that are chosen', async () => {
    const { add, names, context } = open();
    await add('A');
    await add('B');
    expect(await forgetMappings(context, ({ name }) => name === 'orders')).toEqual(['orders']);
    expect(await forgetMappings(context, ({ name }) => name === 'orders')).toEqual([]);
    expect(await names()).toEqual(['orders-2']);
  });

  it('loses no mapping of two processes that write at once', async () => {
    const { names, directory } = open();
    const script = fileURLToPath(new URL('support/run-script.js', import.meta.url));
    const children = ['a', 'b'].map((name) => fork(script, ['test/remember-many.ts', directory, name, '20']));
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    await Promise.all(children.map((child) => once(child, 'message')));
    const ends = children.map((child) => once(child, 'exit'));
    for (const child of children) child.send('go');
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0]);
    expect(new Set(await names()).size).toBe(40);
  });
});
