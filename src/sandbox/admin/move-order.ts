import { z } from 'zod';
import type { SandboxContext, SandboxParts } from '../parts.ts';
import { AdminProblem, readAdminBody } from './admin-problem.ts';

const body = z.strictObject({ status: z.string() });

/** PUT /_sandbox/orders/:orderId/status: moves an order to a state that the behaviour knows, whatever its own is. */
export function moveOrderRoute({ store, behaviour }: SandboxParts) {
  const states = [...behaviour.orders.states, behaviour.orders.cancelled];
  return async (context: SandboxContext): Promise<Response> => {
    const { status } = await readAdminBody(context, body);
    if (!states.includes(status)) {
      throw new AdminProblem(`status: is none of the states ${states.join(', ')}`);
    }
    const id = context.req.param('orderId') ?? '';
    if (!store.orders.move(id, status)) throw new AdminProblem(`There is no order with the id ${id}`, 404);
    return context.json({ id, status });
  };
}
