import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, startProcess } from './processes.ts';

/** What stands in front of a service: its Debian package, and its configuration with default settings. */
interface Gateway {
  title: string;
  debian: string;
  configuration(port: number, target: number, folder: string): string;
  command(file: string): string[];
}

export type GatewayName = keyof typeof gateways | 'direct';

export const gateways = {
  nginx: {
    title: 'nginx',
    debian: 'nginx',
    configuration: (port, target, folder) => `
      daemon off;
      pid ${folder}/nginx.pid;
      error_log stderr warn;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/body;
        proxy_temp_path ${folder}/proxy;
        fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi;
        scgi_temp_path ${folder}/scgi;
        server {
          listen 127.0.0.1:${port};
          location / { proxy_pass http://127.0.0.1:${target}; }
        }
      }`,
    command: (file) => ['/usr/sbin/nginx', '-c', file, '-e', 'stderr'],
  },
  haproxy: {
    title: 'HAProxy',
    debian: 'haproxy',
    // The timeouts are those of the package's own configuration.
    configuration: (port, target) =>
      [
        'defaults',
        '  mode http',
        '  timeout connect 5000',
        '  timeout client 50000',
        '  timeout server 50000',
        'frontend orders',
        `  bind 127.0.0.1:${port}`,
        '  default_backend service',
        'backend service',
        `  server service 127.0.0.1:${target}`,
        '',
      ].join('\n'),
    command: (file) => ['/usr/sbin/haproxy', '-db', '-f', file],
  },
  squid: {
    title: 'squid',
    debian: 'squid',
    configuration: (port, target, folder) =>
      [
        `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1`,
        `cache_peer 127.0.0.1 parent ${target} 0 no-query originserver login=PASSTHRU name=service`,
        'http_access allow all',
        'cache_peer_access service allow all',
        'never_direct allow all',
        'access_log none',
        'cache_log stdio:/dev/stderr',
        'pid_filename none',
        `coredump_dir ${folder}`,
        'visible_hostname gateway',
        'shutdown_lifetime 0 seconds',
        'pinger_enable off',
        '',
      ].join('\n'),
    command: (file) => ['/usr/sbin/squid', '-N', '-f', file],
  },
} satisfies Record<string, Gateway>;

const maxStartMilliseconds = 10_000;

/** Starts a gateway in front of a local port. */
export async function startGateway(name: keyof typeof gateways, target: number, folder: string) {
  const gateway: Gateway = gateways[name];
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  // Started by root, a gateway becomes a user of its own.
  chmodSync(folder, 0o777);
  const file = join(folder, `${name}.conf`);
  writeFileSync(file, gateway.configuration(port, target, folder));
  const child = startProcess(gateway.command(file), { cwd: folder });
  const started = performance.now();
  while (!(await accepts(port))) {
    if (child.hasEnded() || performance.now() - started > maxStartMilliseconds) {
      await child.stop();
      throw new Error(`${gateway.title} did not start:\n${child.output()}`);
    }
    await delay(50);
  }
  return { port, stop: child.stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
