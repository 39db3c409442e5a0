import { listParameters } from '../../../src/sandbox/behaviour/schema.ts';
import type { Oddity } from './service.ts';

/** What the services with the behaviours of these names, in `test/support/behaviours`, do that no setting can. */
export const oddServices: Record<string, Oddity> = {
  apigee: { list: 'data, pagination', error: 'apigee', fields: 'lower case' },
  'array-of-errors': { error: 'json_array' },
  'aws-like': { list: 'nested items', error: 'aws' },
  'data-or-error': { list: 'nested, page info', error: 'data_null' },
  'django-rest': { list: 'count, next, results', error: 'code_message' },
  fastapi: { list: 'items, limit', error: 'fastapi' },
  'go-like': { list: 'nested, page info', error: 'error_text', order: 'data.order' },
  'google-like': { fields: 'amounts as numbers', list: 'items, token beside pages', error: 'google' },
  'grpc-gateway': { list: 'orders, count', error: 'code_message_details' },
  'no-filters': {
    ignores: listParameters,
  },
  hoarder: { list: 'success, data', error: 'success_false' },
  'json-api': { list: 'JSON:API', error: 'json_api' },
  laravel: { list: 'Laravel', error: 'laravel' },
  mislabelled: { error: 'mislabelled' },
  'nginx-fronted': { list: 'fastapi-pagination', error: 'html' },
  'no-external-order-id': { error: 'json_text', fields: 'no externalOrderId' },
  'oauth-minded': { list: 'elements, paging', error: 'oauth', fields: 'nulls' },
  'paypal-like': { list: 'HAL', error: 'paypal' },
  'plain-text': {
    list: 'rows, count of the page',
    error: 'plain_text',
    ignores: ['externalOrderId', 'orderNumber'],
  },
  rails: { list: 'count header', error: 'rails' },
  'second-chance': { list: 'nodes, totalCount', error: 'error_code_message', order: 'result' },
  silent: { list: 'result, next page number', error: 'empty', order: 'nothing' },
  spring: { list: 'Spring', error: 'spring' },
  'square-like': { list: 'orders, count', error: 'square' },
};
