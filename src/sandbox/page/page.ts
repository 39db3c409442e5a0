import { Hono } from 'hono';
import { html } from 'hono/html';
import type { FaultService } from '../faults/fault-responses.ts';
import { checkHost, requireAdminToken } from '../http/authenticate.ts';
import type { SandboxContext, SandboxEnv, SandboxMiddleware } from '../http/context.ts';
import { customersPart, orderPart, ordersPart } from './orders.ts';
import type { Html } from './parts.ts';
import { behaviourPart, cataloguePart, tryPart } from './reference.ts';
import { requestPart, requestsPart } from './requests.ts';
import { pageHeaders, shell } from './shell.ts';

const setHeaders: SandboxMiddleware = async (context, next) => {
  for (const [name, value] of Object.entries(pageHeaders)) context.header(name, value);
  await next();
};

/** The page at `/` is a shell without data; its parts, below `/_sandbox/page`, need the admin token. */
export function createPage(service: FaultService & { adminToken: string }): Hono<SandboxEnv> {
  const page = new Hono<SandboxEnv>();
  page.use('/', checkHost(service), setHeaders);
  page.get('/', (context) => context.html(shell));
  page.use('/_sandbox/page/*', checkHost(service), requireAdminToken(service.adminToken), setHeaders);
  page.route('/_sandbox/page', createParts(service));
  return page;
}

function createParts(service: FaultService): Hono<SandboxEnv> {
  const { faults } = service;
  const found = (context: SandboxContext, part: Html | undefined) =>
    part === undefined
      ? context.html(html`<h1>Not found</h1><p class="empty">This page does not exist.</p>`, 404)
      : context.html(part);
  return new Hono<SandboxEnv>()
    .get('/orders', (context) => context.html(ordersPart(service, pageOf(context))))
    .get('/orders/:id', (context) => found(context, orderPart(service, context.req.param('id'))))
    .get('/requests', (context) => context.html(requestsPart(service, pageOf(context))))
    .get('/requests/:sequence', (context) =>
      found(context, requestPart(service, Number(context.req.param('sequence')))),
    )
    .get('/customers', (context) => context.html(customersPart(service, pageOf(context))))
    .get('/catalogue', (context) => context.html(cataloguePart(service, pageOf(context))))
    .get('/behaviour', (context) => context.html(behaviourPart(service, faults.settings())))
    .get('/try', (context) => {
      const { origin } = new URL(context.req.url);
      return context.html(tryPart(service, origin));
    })
    .get('*', (context) => found(context, undefined));
}

function pageOf({ req }: SandboxContext): number {
  const text = req.query('page') ?? '';
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
