import { shellCommand, t } from '../../advice/advice.ts';
import { CliError } from '../../errors.ts';

/** The path of all operations (interface section 1). */
export const basePath = '/api/v1/merchant/orders';

export function ordersUrl(baseUrl: URL): URL {
  return new URL(baseUrl.pathname.replace(/(?<!\/)\/+$/, '') + basePath, baseUrl);
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** In order of precedence. Some environments only set a proxy for http. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/** The proxy for a base URL, if any; never for loopback. Error: `usage` for a variable without the address of a proxy. */
export function proxyFor(baseUrl: URL, env: Environment): URL | undefined {
  if (isLoopback(baseUrl.hostname) || isExcepted(baseUrl, env.no_proxy || env.NO_PROXY || '')) {
    return undefined;
  }
  const name = variables.find((variable) => env[variable]);
  return name === undefined ? undefined : parseProxy(name, env[name] ?? '');
}

function parseProxy(name: string, value: string): URL {
  const address = value.includes('://') ? value : `http://${value}`;
  if (URL.canParse(address)) {
    const proxy = new URL(address);
    if (/^https?:$/.test(proxy.protocol) && canDecode(proxy.username + proxy.password)) return proxy;
  }
  // The value is not shown: it may hold a password.
  throw new CliError('usage', t`The environment variable ${name} does not hold the address of a proxy.`, {
    hint: t`Set it to an address such as http://proxy.example:3128, or run: ${shellCommand(`unset ${name}`)}`,
  });
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Host names with their subdomains and an optional port, or `*`. */
function isExcepted({ hostname, port }: URL, noProxy: string): boolean {
  return noProxy.split(/[,\s]+/).some((entry) => {
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (onlyPort !== undefined && onlyPort !== (port || '443'))) return false;
    const domain = name.replace(/^\*?\./, '');
    return domain === '*' || hostname === domain || hostname.endsWith(`.${domain}`);
  });
}
