import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runScript } from '../support/program.ts';
import { newDirectory } from './private-mode.ts';

it('openDatabase opens a new file for many processes at once', async () => {
  const directory = newDirectory();
  const opened = Array.from({ length: 6 }, () => fork(runScript, ['test/system/open-files.ts']));
  onTestFinished(() => {
    for (const child of opened) child.kill();
  });
  for (let file = 0; file < 60; file++) {
    const messages = Promise.all(opened.map((child) => once(child, 'message')));
    for (const child of opened) child.send(join(directory, `${file}.db`));
    expect((await messages).flat().filter((message) => typeof message === 'string')).toEqual(
      opened.map(() => 'opened'),
    );
  }
});
