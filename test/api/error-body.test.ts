import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServiceError } from '../../src/api/error-body.ts';
import { answerOf } from './answer.ts';

const read = (body: unknown) => readServiceError(answerOf(422, JSON.stringify(body)));

describe('JSON', () => {
  const code = 'NO_STOCK';
  const message = 'There is none left';

  it.each([
    [
      'RFC 9457',
      { type: 'https://e.mn/probs/stock', title: 'No stock', status: 422, detail: message },
      { message },
    ],
    ['RFC 9457, title alone', { type: 'about:blank', title: message, status: 422 }, { message }],
    ['Stripe', { error: { code, message, type: 'invalid_request_error', param: 'sku' } }, { code, message }],
    ['error text', { error: message }, { message }],
    ['error code', { error: code }, { code }],
    ['OAuth', { error: 'invalid_token', error_description: message }, { code: 'invalid_token', message }],
    ['code and message', { code, message }, { code, message }],
    ['with details', { code, message, details: { sku: 'TEA' } }, { code, message }],
    ['camel case', { errorCode: code, errorMessage: message }, { code, message }],
    ['snake case', { error_code: code, error_message: message }, { code, message }],
    ['message alone', { message }, { message }],
    ['NestJS', { statusCode: 422, message, error: 'Unprocessable Entity' }, { message }],
    [
      'NestJS, several',
      { statusCode: 400, message: ['sku is blank', 'total is not text'], error: 'Bad Request' },
      { message: 'sku is blank; total is not text' },
    ],
    [
      'Spring',
      { timestamp: '2026-11-25T08:00:00Z', status: 422, error: 'Unprocessable Entity', path: '/', message },
      { message },
    ],
    ['Laravel', { message, errors: { sku: ['is unknown'] } }, { message }],
    ['FastAPI', { detail: message }, { message }],
    ['JSON:API', { errors: [{ status: '422', code, title: 'No', detail: message }] }, { code, message }],
    ['Square', { errors: [{ category: 'STOCK', code, detail: message, field: 'sku' }] }, { code, message }],
    [
      'PayPal',
      { name: code, message, debug_id: 'd-1', details: [{ field: 'sku', issue: 'none' }] },
      { code, message, requestId: 'd-1' },
    ],
    ['success false', { success: false, error: { code, message } }, { code, message }],
    ['data null', { data: null, error: { code, message } }, { code, message }],
    ['under data', { data: { error: { code, message } } }, { code, message }],
    ['error in error', { error: { error: { code, message } } }, { code, message }],
    [
      'Apigee',
      { fault: { faultstring: message, detail: { errorcode: 'oauth.v2.InvalidToken' } } },
      { code: 'oauth.v2.InvalidToken', message },
    ],
    ['AWS', { __type: 'ValidationException', Message: message }, { code: 'ValidationException', message }],
    ['AWS gateway', { message: 'Forbidden' }, { message: 'Forbidden' }],
    ['a string', message, { message }],
    ['an array', [{ code, message }], { code, message }],
  ])('%s', (_name, body, expected) => {
    expect(read(body)).toEqual(expected);
  });

  it.each([
    [{ code: 422, error: { code } }, code],
    [{ code: 422, name: code }, code],
    [{ code: '422' }, undefined],
    [{ code: 'not a code' }, undefined],
    [{ code: '' }, undefined],
    [{ code: null }, undefined],
    [{ code: 'x'.repeat(101) }, undefined],
    [{ error: { code: 'INNER' }, code: 'OUTER' }, 'INNER'],
  ])('the code of %j', (body, expected) => {
    expect(read(body).code).toBe(expected);
  });

  it.each(['requestId', 'request_id', 'traceId', 'debug_id', 'correlationId'])('the %s', (key) => {
    expect(read({ error: { code, [key]: 'r-1' } }).requestId).toBe('r-1');
    expect(read({ error: { code }, [key]: 'r-1' }).requestId).toBe('r-1');
  });

  it('tells the request id of the body before that of a header', () => {
    const headers = { 'x-request-id': 'h-1' };
    expect(readServiceError(answerOf(422, '{"requestId":"b-1"}', headers)).requestId).toBe('b-1');
    expect(readServiceError(answerOf(422, '{}', headers)).requestId).toBe('h-1');
    expect(readServiceError(answerOf(502, '<html>', { 'cf-ray': 'c-1' })).requestId).toBe('c-1');
  });
});

describe('what is no JSON', () => {
  const page =
    '<!DOCTYPE html><html><head><title>502 Bad Gateway</title><style>h1 { color: red }</style>' +
    '<script type="x">if (1 < 2) alert("no")</script></head>\r\n<body><h1>Try\tlater</h1></body></html>';

  it.each([
    ['nothing', '', {}],
    ['blanks', ' \r\n ', {}],
    ['text', 'Bad\r\n  Gateway\n', { message: 'Bad Gateway' }],
    ['a page', page, { message: '502 Bad Gateway Try later' }],
    ['a page without words', '<html><body></body></html>', {}],
    ['torn JSON', '{"error":{"code":"NO_ST', { message: '{"error":{"code":"NO_ST' }],
    ['a long text', 'x'.repeat(1000), { message: `${'x'.repeat(300)}…` }],
  ])('%s', (_name, text, expected) => {
    expect(readServiceError(answerOf(502, text))).toEqual(expected);
  });
});

describe('hostile bodies', () => {
  const million = 1024 * 1024;
  const bounded = (told: object) => {
    for (const text of Object.values(told)) {
      expect(text).toMatch(/^.{1,301}$/u);
      expect(text.trim()).not.toBe('');
    }
  };

  it.each([
    ['open tags', '<'.repeat(million)],
    ['scripts that never end', '<script>'.repeat(200_000)],
    ['blanks', ' '.repeat(million)],
    ['a code as long as the body', JSON.stringify({ code: 'X'.repeat(million), message: 'no' })],
    ['a message as long as the body', JSON.stringify({ code: 'X', message: 'no '.repeat(400_000) })],
    ['a request id as long as the body', JSON.stringify({ requestId: 'r'.repeat(million) })],
    ['many messages', JSON.stringify({ message: Array(10_000).fill({ message: 'no' }) })],
    ['deep nesting', '['.repeat(million)],
  ])('%s: soon read, and short', { timeout: 20_000 }, (_name, text) => {
    bounded(readServiceError(answerOf(502, text)));
  });

  it('never throws and stays short', () => {
    const key = fc.constantFrom('error', 'errors', 'code', 'message', 'detail', 'data', 'fault', 'requestId');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 7, '', ' ', 'NO_STOCK', 'x'.repeat(400)),
        fc.string(),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(tree, fc.jsonValue()), (body) => bounded(read(body))),
      { numRuns: 2000 },
    );
    fc.assert(fc.property(fc.string(), (text) => bounded(readServiceError(answerOf(500, text)))));
  });
});
