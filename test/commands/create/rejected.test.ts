import { describe, expect, it } from 'vitest';
import { type ErrorShape, errorShapes } from '../../api/error-shapes.ts';
import { startStubService } from '../../api/stub-service.ts';
import { errorIn, runCli } from '../../support/cli.ts';

const args = [
  ...['create', '--external-order-id', 'UB-1', '--phone', '99112233', '--item', 'TEA-1', '--prepaid'],
  ...['--set', 'note=to the door'],
];

async function createAgainst(shape: ErrorShape, flags: string[]) {
  const { env } = await startStubService(({ method }) =>
    method === 'GET'
      ? { json: [] }
      : { status: shape.status, headers: { 'content-type': shape.contentType }, text: shape.text },
  );
  return runCli([...args, ...flags], { env });
}

/** The words that the sentence of the program ends with: what the service says, or its code, or the status. */
function wordsOf({ expected, status }: ErrorShape): string {
  return (expected.message ?? expected.code ?? `status ${status}`).replace(/[.;:\s]+$/, '');
}

/** By status: the exit code, and the beginning of the sentence. */
const ends: Record<number | string, [number, string]> = {
  403: [4, 'This key cannot create orders: '],
  '403 with a page': [7, 'A firewall or gateway in front of the service blocked the request: '],
  404: [7, 'The merchant orders API is not at this address: status 404: '],
};

describe('create shows why the service rejected the order', () => {
  it.each(errorShapes.map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
    const isPage = /<html/i.test(shape.text);
    const key = shape.status === 403 && isPage ? '403 with a page' : shape.status;
    const [code, beginning] = ends[key] ?? [5, 'The service rejected the order: '];
    const { stdout, stderr, exitCode } = await createAgainst(shape, ['--json']);
    const error = errorIn(stderr);
    expect([exitCode, stdout, error.message]).toEqual([code, '', `${beginning}${wordsOf(shape)}.`]);
    expect([error.status, error.serviceCode]).toEqual([shape.status, shape.expected.code]);
    expect(error.issues ?? []).toEqual(shape.expected.issues ?? []);
  });
});
