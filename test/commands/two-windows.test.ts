import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemFiles } from '../../src/system/files.ts';
import { type Answering, type CliResult, runCli, temporaryDirectory } from '../support/cli.ts';
import { startService } from '../support/service.ts';
import { answersByFile } from './import/questions/mappings.ts';
import { start } from './import/setup.ts';

const header = 'Утас,Бараа,Тоо,Нийт';
const rows = ['99112233,Цай,2,25000', '99112244,Сүү,1,8900'];
const added = '99112255,Элсэн чихэр,3,12000';
const collect = { pick: 'Нийт of every order' };
const answers: Answering[] = ['none', collect, 'write', 'right', true];

/** A folder whose file two windows import: each has its own configuration, as of two people, unless it is the same. */
async function sharedFolder() {
  const shop = await start('orders.csv');
  const write = (...lines: string[]) => writeFileSync(shop.csv, `${lines.join('\n')}\n`);
  write(header, ...rows);
  const configurations = [shop.configDirectory, join(temporaryDirectory(), 'configuration')];
  const importIn = (window: number, more: Answering[], flags: string[] = []) =>
    shop.run(['import', shop.csv, ...flags], {
      configDirectory: configurations[window] ?? '',
      answers: more,
    });
  return {
    ...shop,
    write,
    importIn,
    copy: shop.path('orders.numbered.csv'),
    phones: async () =>
      (await shop.listed()).map(({ customer }) => (customer as unknown as { phone: string }).phone).sort(),
  };
}

/** An answer that another window forestalls: what it does is finished before it. */
function forestalled(
  other: () => Promise<CliResult>,
  answer: Answering,
): [Answering, () => CliResult | undefined] {
  let result: CliResult | undefined;
  const answering: Answering = async (question) => {
    result = await other();
    return typeof answer === 'function' ? answer(question) : answer;
  };
  return [answering, () => result];
}

const flat = (text: string) => text.replace(/\s+/g, ' ');
const changed = (path: string) =>
  `${path} was written, changed or removed by another program after this one had looked at it. It is left as it is, and nothing was sent.`;

describe('a sheet without order IDs that two windows import', () => {
  it.each([
    ['of two people', 1],
    ['of one person', 0],
  ])('is numbered once: %s', async (_name, other) => {
    const shop = await sharedFolder();
    const [write, ended] = forestalled(() => shop.importIn(other, answers), 'write');
    const { exitCode, stderr } = await shop.importIn(0, ['none', collect, write, 'right', true]);
    expect([ended()?.exitCode, exitCode]).toEqual([0, 2]);
    expect(flat(stderr)).toContain(changed(shop.copy));
    expect(await shop.phones()).toEqual(['99112233', '99112244']);
    const again = await shop.importIn(0, ['continue', 'right', true]);
    expect([again.exitCode, await shop.phones()]).toEqual([0, ['99112233', '99112244']]);
  });

  it('gets its new rows numbered once', async () => {
    const shop = await sharedFolder();
    await shop.importIn(0, answers);
    await shop.importIn(1, ['none', collect, 'right', true]);
    shop.write(header, ...rows, added);
    const [write, ended] = forestalled(() => shop.importIn(1, ['none', 'write', true]), 'write');
    const { exitCode, stderr } = await shop.importIn(0, ['none', write, true]);
    expect([ended()?.exitCode, exitCode]).toEqual([0, 2]);
    expect(flat(stderr)).toContain(changed(shop.copy));
    expect(await shop.phones()).toEqual(['99112233', '99112244', '99112255']);
  });

  it('stays unnumbered when the copy was removed while the question stood', async () => {
    const shop = await sharedFolder();
    await shop.importIn(0, answers);
    shop.write(header, ...rows, added);
    const remove: Answering = () => {
      rmSync(shop.copy);
      return 'write';
    };
    const { exitCode } = await shop.importIn(0, ['none', remove, true]);
    expect([exitCode, shop.files().includes('orders.numbered.csv')]).toEqual([2, false]);
    expect(await shop.phones()).toEqual(['99112233', '99112244']);
  });
});

describe('results that another window wrote meanwhile', () => {
  it('are kept', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--yes', '--limit', '2']);
    const [yes, ended] = forestalled(() => shop.import(['--yes', '--limit', '4']), true);
    const { exitCode, stderr } = await shop.import(['--limit', '6'], { answers: [yes] });
    expect([ended()?.exitCode, exitCode]).toEqual([0, 0]);
    const [kept = ''] = shop.files().filter((name) => name.startsWith('orders.results.before-'));
    expect(flat(stderr)).toContain(`The earlier ${shop.results} is kept as ${shop.path(kept)}.`);
    const created = (path: string) => readFileSync(path, 'utf8').match(/,created,/g)?.length;
    expect([created(shop.path(kept)), created(shop.results)]).toEqual([2, 2]);
  });

  it('replace those of before, which were there when the import began', async () => {
    const shop = await start('orders.csv');
    await shop.import(['--yes', '--limit', '2']);
    await shop.import(['--limit', '6'], { answers: [true] });
    expect(shop.files().filter((name) => name.includes('.before-'))).toEqual([]);
  });
});

it('the states that another window wrote meanwhile are kept', async () => {
  const shop = await start('orders.csv');
  await shop.import(['--yes', '--limit', '2']);
  const output = shop.path('states.csv');
  const text = '_order_number,_status,_delivery\nof another window\n';
  const checkWritable: typeof systemFiles.checkWritable = async (path, isOurs) => {
    const seen = await systemFiles.checkWritable(path, isOurs);
    writeFileSync(output, text);
    return seen;
  };
  const { stderr } = await shop.run(['status', shop.csv, '--output', output], { files: { checkWritable } });
  const [kept = ''] = shop.files().filter((name) => name.startsWith('states.before-'));
  expect(flat(stderr)).toContain(`The earlier ${output} is kept as ${shop.path(kept)}.`);
  expect(readFileSync(shop.path(kept), 'utf8')).toBe(text);
});

describe('the answers about a layout', () => {
  const ofPedidos = answersByFile.pedidos ?? [];
  const otherwise = ofPedidos.map((answer) => (answer === 'leave_out' ? 'prepaid' : answer));

  it.each([
    [
      'that another window has answered otherwise are not remembered, and what it says stays',
      otherwise,
      true,
    ],
    ['that another window has answered alike are remembered', ofPedidos, false],
  ])('%s', async (_name, others, isChanged) => {
    const shop = await start('mappings/pedidos.csv');
    const importBy = (given: Answering[]) => shop.import([], { answers: [...given, true] });
    const stored = async () => (await shop.run(['mappings', 'show', 'pedidos'])).stdout;
    const [first = '', ...rest] = ofPedidos;
    let before = '';
    const [answer] = forestalled(async () => {
      const result = await importBy(others);
      before = await stored();
      return result;
    }, first);
    const { stderr } = await importBy([answer, ...rest]);
    const note =
      'Another window or program has changed the remembered mapping of these columns meanwhile. It is left as it is now. Your answers are not remembered.';
    expect(flat(stderr).includes(note)).toBe(isChanged);
    expect(await stored()).toBe(before);
    expect(before).toContain('"Pendiente"');
  });
});

describe('profiles that two windows change', () => {
  const open = async () => {
    const configDirectory = temporaryDirectory();
    const { sandbox } = await startService();
    const login = (profile: string, key: Answering = sandbox.apiKey) =>
      runCli(['login', '-p', profile], { configDirectory, answers: [sandbox.baseUrl, key] });
    const stored = () => JSON.parse(readFileSync(join(configDirectory, 'config.json'), 'utf8'));
    return { sandbox, configDirectory, login, stored };
  };

  it('are both stored', async () => {
    const { sandbox, login, stored } = await open();
    const [key, ended] = forestalled(() => login('north'), sandbox.apiKey);
    const { exitCode } = await login('south', key);
    expect([ended()?.exitCode, exitCode]).toEqual([0, 0]);
    expect(Object.keys(stored().profiles).sort()).toEqual(['north', 'south']);
  });

  it('are as the first has stored them, when it is the same one', async () => {
    const { sandbox, configDirectory, login, stored } = await open();
    const other = () =>
      runCli(['login', '-p', 'shop', '--base-url', sandbox.baseUrl, '--with-key'], {
        configDirectory,
        stdin: sandbox.readOnlyApiKey,
      });
    const [key, ended] = forestalled(other, sandbox.apiKey);
    const { exitCode, stderr } = await login('shop', key);
    expect([ended()?.exitCode, exitCode]).toEqual([0, 2]);
    expect(flat(stderr)).toContain(
      'Profile shop was changed by another window or program meanwhile. It is left as it is now, and nothing was sent.',
    );
    expect(stored().profiles.shop.apiKey).toBe(sandbox.readOnlyApiKey);
  });
});
