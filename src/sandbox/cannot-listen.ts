import { platform } from 'node:os';
import { CliError } from '../errors.ts';
import { probeSandbox } from './probe.ts';

const otherPort = 'give another port with --port, or --port 0 for any that is free';

/** Why a port of this machine cannot be had → what to do about it; any other error as it is. */
export async function cannotListen(error: NodeJS.ErrnoException, port: number): Promise<Error> {
  if (error.code === 'EACCES') {
    return new CliError('port_not_allowed', `Port ${port} is not for every user of this machine.`, {
      hint: `Those from 1024 are: ${otherPort}.`,
    });
  }
  if (error.code !== 'EADDRINUSE') return error;
  const address = `http://127.0.0.1:${port}`;
  if ((await probeSandbox(address)) !== undefined) {
    return new CliError('port_in_use', `Port ${port} is in use: a sandbox is served there already.`, {
      hint: `Use that one at ${address}, stop it with Ctrl-C where it was started, or ${otherPort}.`,
    });
  }
  const find = platform() === 'win32' ? `netstat -ano | findstr :${port}` : `lsof -i :${port}`;
  return new CliError('port_in_use', `Port ${port} is in use by another program.`, {
    hint: `To see which, run: ${find}\nOr ${otherPort}.`,
  });
}
