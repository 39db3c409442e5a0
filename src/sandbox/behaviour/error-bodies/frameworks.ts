import { json, phraseOf, pointerTo, problemsByField, type ToErrorBody } from '../error-body.ts';

/** Bodies that web frameworks and standards bring with them. */
export const frameworkErrors = {
  // RFC 9457: the type is a URI, and here its last segment is the code.
  problem_details: ({ code, message, status, requestId, fields }) =>
    json(
      {
        type: `https://api.example/problems/${code}`,
        title: phraseOf(status),
        status,
        detail: message,
        instance: `urn:uuid:${requestId}`,
        errors: fields.map(({ field, problem }) => ({ detail: problem, pointer: `#${pointerTo(field)}` })),
      },
      'application/problem+json',
    ),
  nestjs: ({ message, status, fields }) =>
    json({
      statusCode: status,
      message: fields.length === 0 ? message : fields.map(({ field, problem }) => `${field} ${problem}`),
      error: phraseOf(status),
    }),
  spring: ({ message, status, path, time }) =>
    json({ timestamp: time, status, error: phraseOf(status), path, message }),
  laravel: (facts) =>
    json({
      message: facts.message,
      ...(facts.fields.length === 0 ? {} : { errors: problemsByField(facts) }),
    }),
  fastapi: ({ code, message, fields }) =>
    json({
      detail:
        fields.length === 0
          ? message
          : fields.map(({ field, problem }) => ({
              loc: ['body', ...field.split(/[.[\]]+/).filter((step) => step !== '')],
              msg: problem,
              type: code,
            })),
    }),
  rails: (facts) => json({ errors: facts.fields.length === 0 ? [facts.message] : problemsByField(facts) }),
  json_api: ({ code, message, status, requestId, fields }) =>
    json(
      {
        errors: (fields.length === 0 ? [undefined] : fields).map((found) => ({
          id: requestId,
          status: String(status),
          code,
          title: phraseOf(status),
          detail: found?.problem ?? message,
          ...(found === undefined ? {} : { source: { pointer: pointerTo(found.field) } }),
        })),
      },
      'application/vnd.api+json',
    ),
} satisfies Record<string, ToErrorBody>;
