import { STATUS_CODES } from 'node:http';
import { type Json, writeJson } from '../../orders/json.ts';

export interface ErrorContent {
  code: string;
  message: string;
  status: number;
  requestId: string;
  fields: readonly FieldProblem[];
}

export interface FieldProblem {
  /** Such as `items[0].sku`. */
  field: string;
  problem: string;
}

interface ErrorBody {
  text: string;
  contentType: string;
}

function json(value: Json, contentType = 'application/json'): ErrorBody {
  return { text: writeJson(value), contentType };
}

/** Such as `#/items/0/sku` (RFC 6901). */
function pointerTo(field: string): string {
  const steps = field.split(/[.[\]]+/).filter((step) => step !== '');
  return `#/${steps.join('/')}`;
}

export const errorBodies = {
  error_object: ({ code, message, requestId, fields }) => {
    const details = fields.map(({ field, problem }) => ({ field, message: problem }));
    return json({ error: { code, message, requestId, ...(details.length === 0 ? {} : { details }) } });
  },
  message: ({ message }) => json({ message }),
  // RFC 9457: the type is a URI, and here its last segment is the code.
  problem_details: ({ code, message, status, requestId, fields }) =>
    json(
      {
        type: `https://api.example/problems/${code}`,
        title: STATUS_CODES[status] ?? 'Error',
        status,
        detail: message,
        instance: `urn:uuid:${requestId}`,
        errors: fields.map(({ field, problem }) => ({ detail: problem, pointer: pointerTo(field) })),
      },
      'application/problem+json',
    ),
  nestjs: ({ message, status, fields }) =>
    json({
      statusCode: status,
      message: fields.length === 0 ? message : fields.map(({ field, problem }) => `${field} ${problem}`),
      error: STATUS_CODES[status] ?? 'Error',
    }),
  stripe: ({ code, message, requestId, fields: [first] }) =>
    json({
      error: {
        code,
        message,
        ...(first === undefined ? {} : { param: first.field }),
        request_log_url: `https://dashboard.example/logs/${requestId}`,
        type: 'invalid_request_error',
      },
    }),
} satisfies Record<string, (error: ErrorContent) => ErrorBody>;
