import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/orders/json.ts';
import { runCli, temporaryDirectory } from '../../support/cli.ts';
import { planFile } from '../../support/plan-file.ts';
import { headerErrors } from '../plan-rows.ts';
import { fixture } from '../tables.ts';

const files = ['mappings', 'import/unseen'].flatMap((folder) =>
  readdirSync(fixture(folder))
    .filter((name) => name.endsWith('.csv'))
    .map((name) => join(folder, name)),
);

/** What a person writes for questions without a guess. */
const ownAnswers: Record<string, string> = {
  'import/unseen/mongol-note-pay.csv': 'none',
  'import/unseen/qapla.csv': 'Notes',
};

const choicesOf = (question: string) => question.replace(/^\? (?:\(choose\)(?: \| )?)?/, '').split(' | ');

async function draftOf(name: string): Promise<JsonObject> {
  const { stdout, exitCode } = await runCli(['import', fixture(name), '--write-map', '-']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

function answered(draft: Json, answer: (question: string) => string | undefined): Json {
  return JSON.parse(JSON.stringify(draft), (_, value) =>
    typeof value === 'string' && value.startsWith('?') ? answer(value) : value,
  );
}

describe('a draft in which each question is answered', () => {
  it.each(files)('by its first choice is a mapping of the file: %s', async (name) => {
    const draft = await draftOf(name);
    const map = answered(draft, (question) => choicesOf(question)[0] || ownAnswers[name]);
    const plan = await planFile(fixture(name), [], { map });
    // A column that matters is refused when it is not to be read.
    const asked = ((draft.ignore ?? []) as string[]).flatMap((header) =>
      header.startsWith('? ') ? choicesOf(header) : [],
    );
    const refused = headerErrors(plan).filter((error) => error.startsWith('column_unread'));
    expect(refused.filter((error) => !asked.some((header) => error.endsWith(` ${header}`)))).toEqual([]);
    expect(headerErrors(plan)).toEqual(refused);
    // Single orders may be wrong, whatever the mapping is.
    expect([undefined, 'order_invalid', ...refused.map(() => 'file_invalid')]).toContain(plan.error?.code);
  });

  it.each(files)('by any of its choices leaves no column undecided: %s', async (name) => {
    const draft = await draftOf(name);
    const places = [...JSON.stringify(draft).matchAll(/"\? [^"]*"/g)].map(([text]) => choicesOf(text).length);
    for (let place = 1; place < Math.max(0, ...places); place += 1) {
      const map = answered(draft, (question) => {
        const choices = choicesOf(question);
        return (choices[place] ?? choices.at(-1)) || ownAnswers[name];
      });
      const { error, problems } = await planFile(fixture(name), [], { map });
      const codes = [error?.code, ...problems.map(({ code }) => code)];
      expect(codes).not.toContain('configuration_invalid');
      expect(codes).not.toContain('columns_undecided');
    }
  });

  it.each(files)('asks about each column, but an amount, in one place: %s', async (name) => {
    const { ignore = [], columns = {}, amount_paid: paid = [] } = await draftOf(name);
    // An amount that is not the one to collect may be what is paid.
    const { total: _, ...others } = columns as JsonObject;
    const ofOthers = JSON.stringify({ others, paid });
    const twice = (ignore as string[])
      .filter((header) => header.startsWith('? '))
      .filter((header) => ofOthers.includes(JSON.stringify(choicesOf(header)[0]).slice(1, -1)));
    expect(twice).toEqual([]);
  });
});

it('asks in a draft about a state although another question offers its column', async () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'orders.csv');
  const products = ['Tea', 'Mug', 'Cup', 'Milk', 'Bread', 'Salt'];
  const rows = products.map(
    (name, index) => `100${index},9911000${index},${name},${index > 3 ? 'wg' : 'Lager'},NONE`,
  );
  writeFileSync(path, `Bx,Phone,Qw,Zz,collectionMode\n${rows.join('\n')}\n`);
  const draft = JSON.parse((await runCli(['import', path, '--write-map', '-'])).stdout);
  expect(draft.ignore).toContain('? (choose) | Zz');
});
