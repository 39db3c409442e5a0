import { CliError } from '../../errors.ts';
import { isLoopback } from './address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** In the order in which they count. Every real base URL is https, and a proxy for http may be all there is. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] as const;

/**
 * The proxy that a service is reached through; undefined when it is reached directly, as this machine always is.
 * Error: `usage` for a variable that holds no address of a proxy.
 */
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
  // The value may hold a password, so it is not shown.
  throw new CliError('usage', `The environment variable ${name} does not hold the address of a proxy.`, {
    hint: `Set it to an address such as http://proxy.example:3128, or run: unset ${name}`,
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

/** `NO_PROXY`: names with all below them, each with a port or without, `*` for every one. */
function isExcepted({ hostname, port }: URL, noProxy: string): boolean {
  return noProxy.split(/[,\s]+/).some((entry) => {
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (onlyPort !== undefined && onlyPort !== (port || '443'))) return false;
    const domain = name.replace(/^\*?\./, '');
    return domain === '*' || hostname === domain || hostname.endsWith(`.${domain}`);
  });
}
