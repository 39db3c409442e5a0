import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';

/** A real gateway that limits the rate of requests. */
export interface Limit {
  gateway: 'nginx' | 'haproxy';
  perSecond: number;
  status: 429 | 503;
  retryAfter: boolean;
  /** Of HAProxy, in seconds. */
  window: number;
  /** Requests at a time, instead of a rate. */
  atATime?: number;
}

export function missingGateways(limits: readonly Limit[]): string[] {
  const names = new Set(limits.map(({ gateway }) => gateway));
  return [...names].filter((name) => spawnSync(commands[name], ['-v']).error !== undefined);
}

const commands = { nginx: '/usr/sbin/nginx', haproxy: '/usr/sbin/haproxy' };

/** A gateway has a machine of its own: here it must not wait for the program that it measures, where the user may allow that. */
function priority(): [string, ...string[]] | [] {
  const realTime: [string, ...string[]] = ['chrt', '--fifo', '10'];
  return spawnSync('chrt', ['--fifo', '10', 'true']).status === 0 ? realTime : [];
}

const configurations = { nginx: nginxConfiguration, haproxy: haproxyConfiguration };

/** `limit_conn`, or `limit_req` as its documentation shows it, without `burst`: one request each interval, and anything earlier is rejected. */
function nginxConfiguration(limit: Limit, port: number, service: string, folder: string): string {
  const retryAfter = limit.retryAfter ? 'add_header Retry-After 1 always;' : '';
  const isOfRate = limit.atATime === undefined;
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log crit;
events { worker_connections 512; }
http {
  log_format times '$msec $status';
  access_log ${folder}/access.log times;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  limit_req_zone $binary_remote_addr zone=orders:1m rate=${limit.perSecond}r/s;
  limit_conn_zone $binary_remote_addr zone=requests:1m;
  upstream service { server ${service}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000;
    error_page ${limit.status} @limited;
    location @limited { ${retryAfter} return ${limit.status}; }
    location / {
      ${isOfRate ? 'limit_req zone=orders' : `limit_conn requests ${limit.atATime}`};
      ${isOfRate ? 'limit_req_status' : 'limit_conn_status'} ${limit.status};
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;
}

function haproxyConfiguration(limit: Limit, port: number, service: string): string {
  const retryAfter = limit.retryAfter ? ' hdr Retry-After 1' : '';
  const count = limit.perSecond * limit.window;
  return `
global
  log stdout format raw local0
defaults
  mode http
  log global
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend orders
  bind 127.0.0.1:${port}
  log-format "%Ts.%ms %ST"
  stick-table type ip size 1k expire 60s store http_req_rate(${limit.window}s)
  http-request track-sc0 src
  http-request return status ${limit.status}${retryAfter} if { sc_http_req_rate(0) gt ${count} }
  default_backend service
backend service
  server service ${service}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Starts the gateway in front of a service. */
export async function startGateway(limit: Limit, service: string, folder: string) {
  const port = await freePort();
  const file = join(folder, 'gateway.conf');
  writeFileSync(file, configurations[limit.gateway](limit, port, service, folder));
  const flags = limit.gateway === 'nginx' ? ['-p', folder, '-c'] : ['-db', '-f'];
  const log = join(folder, 'access.log');
  const output = limit.gateway === 'haproxy' ? openSync(log, 'w') : 'inherit';
  const [name, ...args] = [...priority(), commands[limit.gateway], ...flags, file];
  const child = spawn(name, args, { stdio: ['ignore', output, 'inherit'] });
  const baseUrl = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt > 50) throw new Error(`${limit.gateway} does not run`);
    const isUp = await request(baseUrl).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await delay(100);
  }
  await delay(1000 * Math.min(limit.window, 2));
  return {
    baseUrl,
    /** How many requests got which status between two times in milliseconds since the epoch. */
    counts(from: number, to: number): Map<number, number> {
      const counts = new Map<number, number>();
      for (const line of readFileSync(log, 'utf8').split('\n')) {
        const [, seconds, status] = /^(\d+\.\d+) (\d{3})$/.exec(line) ?? [];
        const time = Number(seconds) * 1000;
        if (time >= from && time < to) counts.set(Number(status), (counts.get(Number(status)) ?? 0) + 1);
      }
      return counts;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
