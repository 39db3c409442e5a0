import { temporaryDirectory } from './cli.ts';
import { runProgram, startServedSandbox } from './program.ts';
import { type Step, typeAtTerminal } from './typing.ts';

/** A sandbox in a process of its own, and a profile that is logged in to it, for dialogues at a terminal. */
export async function startShop(...flags: string[]) {
  const { baseUrl, apiKey, ledger } = await startServedSandbox(...flags);
  const configDirectory = temporaryDirectory();
  const login = ['login', '--base-url', baseUrl, '--with-key'];
  await runProgram(login, { configDirectory, stdin: apiKey });
  const run = (...args: string[]) => runProgram(args, { configDirectory });
  return {
    baseUrl,
    apiKey,
    configDirectory,
    run,
    orders: async () => (await ledger()).orders,
    read: async (id: string) => JSON.parse((await run('get', id, '--json')).stdout),
    type: (args: string[], steps: readonly Step[], columns = 80, env: Record<string, string> = {}) =>
      typeAtTerminal(args, { configDirectory, steps, columns, env }),
  };
}
