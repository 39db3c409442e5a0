import { expect, it } from 'vitest';
import { asOrders, ids } from '../../api/list-pages.ts';
import { startStubService } from '../../api/stub-service.ts';
import { runCli } from '../../support/cli.ts';

it('refuses to sort more orders than fit into memory', async () => {
  const { env } = await startStubService(({ query }) => {
    const [page, pageSize] = [Number(query.page ?? 1), Number(query.pageSize ?? 100)];
    return { json: { data: asOrders(ids(pageSize, page * pageSize)), page, pageSize, total: 200_000 } };
  });
  const { stdout, stderr, exitCode } = await runCli(['list', '--all', '--for', 'packing'], { env });
  expect([stdout, exitCode], stderr).toEqual(['', 2]);
  expect(stderr).toBe(
    'error: More than 100,000 orders match, which is too many to sort.\n' +
      'Narrow the list with a filter, such as --created-from or --customer-phone.\n',
  );
});
