import type { Hono } from 'hono';
import { ApiError } from '../behaviour/api-error.ts';
import type { SandboxContext, SandboxEnv } from './context.ts';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  handle(context: SandboxContext): Promise<Response>;
}

/** Other methods of their paths get 405. */
export function addRoutes(app: Hono<SandboxEnv>, routes: readonly Route[]): void {
  for (const { method, path, handle } of routes) app.on(method, path, handle);
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
    const allowed = methods.join(', ').replace('GET', 'GET, HEAD');
    app.all(path, (context) => {
      context.header('Allow', allowed);
      throw new ApiError('methodRefused', `The methods of this path are ${allowed}`);
    });
  }
}
