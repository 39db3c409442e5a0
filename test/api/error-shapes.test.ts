import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readServiceError } from '../../src/api/responses/error-body.ts';
import { type ErrorShape, errorRules, errorShapes } from './error-shapes.ts';
import { responseOf } from './response.ts';
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

const requestBody = '{"externalOrderId":"UB-1","note":"to the door"}';
const named = (shapes: ErrorShape[]) =>
  shapes.map((shape) => [shape.name, shape.text.slice(0, 100), shape] as const);

it.each(named([...errorShapes, ...errorRules]))('%s: %s', (_name, _text, shape) => {
  const { status, text, sent = requestBody, expected } = shape;
  expect(readServiceError({ ...responseOf(status, text), requestBody: sent })).toEqual(expected);
});

/** One of each content type, and those that are not ASCII. */
const labelled = errorShapes.filter(
  ({ contentType, text }, index) =>
    errorShapes.findIndex((other) => other.contentType === contentType) === index || /[^\0-~]/.test(text),
);

it.each(named(labelled))('has any content type and encoding: %s', async (_name, _text, shape) => {
  let sent = 0;
  const { client } = await startWithClient(() => (response) => {
    const [, labelOf] = labels[sent++] as (typeof labels)[number];
    const { type, before = '', isZipped } = labelOf(shape.contentType);
    if (type !== undefined) response.setHeader('content-type', type);
    if (isZipped) response.setHeader('content-encoding', 'gzip');
    const body = Buffer.from(before + shape.text);
    response.writeHead(shape.status).end(isZipped ? gzipSync(body) : body);
  });
  for (const [label] of labels) {
    const { attemptResult } = await client.call(
      'create',
      { method: 'POST', path: '', body: requestBody },
      { accepts: () => true, resendsUnknown: true },
    );
    if (attemptResult.kind !== 'response') throw new Error(String(attemptResult.reason));
    expect({ label, ...readServiceError(attemptResult) }).toEqual({ label, ...shape.expected });
  }
});

describe('what a person reads of a body', () => {
  const texts = ({ expected: { message, issues = [] } }: ErrorShape) => [
    ...(message === undefined ? [] : [message]),
    ...issues.flatMap((issue) => [issue.path, issue.message]),
  ];

  it.each(named(errorShapes))('%s: no JSON, no tags, no stack', (_name, _text, shape) => {
    for (const text of texts(shape)) {
      expect(text).not.toMatch(/[[{]\s*["[{]|"\s*:\s*["{[]|<\/|&\w+;| at \S+\(|https?:\/\/|\n/);
    }
  });

  it('is nothing only where the body has nothing but a code, what was sent, or no words', () => {
    const silent = errorShapes.filter((shape) => texts(shape).length === 0).map(({ text }) => text);
    expect(silent).toEqual([
      '',
      '{"statusCode":422,"message":"CUSTOMER_PHONE_AMBIGUOUS","error":"Unprocessable Entity"}',
      '{"code":422,"message":"PRODUCT_SKU_NOT_FOUND"}',
      'null',
      '17',
      '{"order":{"externalOrderId":"UB-1","note":"to the door"}}',
    ]);
  });
});
