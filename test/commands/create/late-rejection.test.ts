import { expect, it } from 'vitest';
import { apiKey, startStubService } from '../../api/stub-service.ts';
import { runCli } from '../../support/cli.ts';

const order = ['--external-order-id', 'Q-1', '--phone', '99112233', '--item', 'T', '--prepaid'];

/** A service that loses the response to the first create, and rejects those after it. */
async function startLateRejection() {
  let posts = 0;
  const { baseUrl } = await startStubService(({ method }) => {
    if (method === 'GET') return { json: { orders: [], hasMore: false } };
    posts += 1;
    return posts === 1 ? { status: 504 } : { status: 422, json: { message: 'The street is missing' } };
  });
  return { MERCHANT_ORDERS_BASE_URL: baseUrl, MERCHANT_ORDERS_API_KEY: apiKey };
}

it('says what is known after a rejection that follows an attempt without a response, and until when', async () => {
  const env = await startLateRejection();
  const { exitCode, stderr } = await runCli(['create', ...order, '--json'], { env });
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([
    8,
    expect.stringMatching(
      /^The service rejected order Q-1: The street is missing\. It does not list the order now, but may still create the first attempt, which had no reliable response\. From \d\d:\d\d on the order can be corrected\.$/,
    ),
  ]);
});

it('keeps what was typed at a terminal, and asks for it again once the time has passed', async () => {
  const env = await startLateRejection();
  const clock = { ahead: 0 };
  const sendAgain = { pick: 'try the same order again' };
  const afterTenMinutes = () => {
    clock.ahead += 11 * 60_000;
    return sendAgain;
  };
  const answers = [true, sendAgain, afterTenMinutes, { pick: 'stop' }];
  const { asked, stderr, exitCode } = await runCli(['create', ...order], { env, clock, answers });
  expect(asked.slice(-4), stderr).toEqual([
    'SANDBOX: create for 99112233, 1 item, prepaid, no address?',
    'What now?',
    'What now?',
    'What do you want to change?',
  ]);
  expect(stderr.match(/From \d\d:\d\d on the order can be corrected/g)).toHaveLength(2);
  expect(exitCode).toBe(5);
});
