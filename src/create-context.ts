import { basePath, ordersUrl } from './api/http/address.ts';
import { connect, open, openHistory } from './connect.ts';
import type { Context } from './context.ts';
import { parseBaseUrl, resolveIdentity } from './identity.ts';
import { streamColours } from './output/colour.ts';
import { createPrint } from './output/print.ts';
import { createReporter } from './output/reporters.ts';
import { readVersion } from './program.ts';
import { createSandboxHost } from './sandbox-host.ts';
import { type GlobalFlags, resolveSettings } from './settings.ts';
import { createProfileStore } from './system/profile-store.ts';
import type { System } from './system/system.ts';

const withoutOutages = { sitsOutOutages: false };

/** Everything a command may use, created once for a command line, each part after those that it needs. */
export function createContext(system: System, flags: GlobalFlags): Context {
  const settings = resolveSettings(flags, system.env);
  const { terminal, clock, interruption } = system;
  const colour = streamColours(system.env, terminal, settings.noColour);
  const print = createPrint({ ...system, quiet: settings.quiet, colour });
  const report = createReporter({
    format: settings.format,
    print,
    ...(settings.columns === undefined ? {} : { columns: settings.columns }),
    header: settings.header,
    terminal: { isTerminal: terminal.stdout, width: terminal.width, colour: colour.out },
  });
  const profiles = createProfileStore(system.configDirectory);
  const sandbox = createSandboxHost(system);
  const trace = (line: string) => (settings.verbose ? print.note(line) : undefined);
  const parts = { settings, system, profiles, sandbox, version: readVersion(system.packageRoot), trace };
  const canAsk = terminal.stdin && terminal.stderr && !settings.noInput && system.env.TERM !== 'dumb';
  return {
    settings,
    system,
    clock,
    interruption,
    print,
    report,
    profiles,
    sandbox,
    prompts: canAsk ? system.prompts : undefined,
    identity: () => resolveIdentity(settings, profiles),
    connect: (options = withoutOutages) => connect(parts, options),
    describe: async (request) => {
      const { baseUrl } = settings.sandbox ? {} : await resolveIdentity(settings, profiles);
      const address = baseUrl === undefined ? undefined : ordersUrl(parseBaseUrl(baseUrl.value)).href;
      const { describeRequest } = await import('./api/requests.ts');
      return describeRequest(request, address ?? `{base_url}${basePath}`);
    },
    history: () => openHistory(system),
    connectTo: (baseUrl, apiKey) => open(parts, withoutOutages, baseUrl, apiKey, undefined),
  };
}
