import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readServiceError } from '../../src/api/responses/error-body.ts';
import { errorShapes } from './error-shapes.ts';
import { startWithClient } from './stub-service.ts';

const bom = '\ufeff';

/** How a service may label a body. */
const labels: [string, (contentType: string) => { type?: string; before?: string; isZipped?: true }][] = [
  ['as what it is', (type) => ({ type })],
  ['as text', () => ({ type: 'text/plain' })],
  ['as a page', () => ({ type: 'text/html; charset=utf-8' })],
  ['as nothing', () => ({})],
  ['behind a byte order mark', (type) => ({ type, before: bom })],
  ['as a page behind a byte order mark', () => ({ type: 'text/html', before: bom })],
  ['compressed, which was not asked for', (type) => ({ type, isZipped: true })],
  ['compressed, as a page', () => ({ type: 'text/html', isZipped: true })],
];

describe.each(errorShapes.map((shape) => [shape.name, shape] as const))('%s', (_name, shape) => {
  it.each(labels)('is read the same, sent %s', async (_label, labelOf) => {
    const { type, before = '', isZipped } = labelOf(shape.contentType);
    const { client } = await startWithClient(() => (response) => {
      if (type !== undefined) response.setHeader('content-type', type);
      if (isZipped) response.setHeader('content-encoding', 'gzip');
      const body = Buffer.from(before + shape.text);
      response.writeHead(422).end(isZipped ? gzipSync(body) : body);
    });
    const request = { method: 'GET', path: '' } as const;
    const { attemptResult } = await client.call('list', request, {
      accepts: () => true,
      resendsUnknown: true,
    });
    if (attemptResult.kind !== 'response') throw new Error(attemptResult.reason);
    expect(readServiceError(attemptResult)).toEqual(shape.expected);
  });
});

it('covers all 24 shapes', () => {
  const numbers = errorShapes.map(({ name }) => Number(name.split(' ')[0]));
  expect([...new Set(numbers)]).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
});
