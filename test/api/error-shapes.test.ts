import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readServiceError } from '../../src/api/responses/error-body.ts';
import { errorShapes } from './error-shapes.ts';
import { startWithClient } from './stub-service.ts';

const bom = '\ufeff';

/** The content types and encodings that a service may send with a body. */
const labels: [string, (contentType: string) => { type?: string; before?: string; isZipped?: true }][] = [
  ['with its content type', (type) => ({ type })],
  ['as plain text', () => ({ type: 'text/plain' })],
  ['as HTML', () => ({ type: 'text/html; charset=utf-8' })],
  ['without a content type', () => ({})],
  ['with a byte order mark', (type) => ({ type, before: bom })],
  ['as HTML with a byte order mark', () => ({ type: 'text/html', before: bom })],
  ['compressed, although not requested', (type) => ({ type, isZipped: true })],
  ['compressed, as HTML', () => ({ type: 'text/html', isZipped: true })],
];

describe.each(errorShapes.map((shape) => [shape.name, shape] as const))('%s', (_name, shape) => {
  it.each(labels)('is read the same when sent %s', async (_label, labelOf) => {
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
