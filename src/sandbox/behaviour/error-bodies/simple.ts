import { json, type ToErrorBody } from '../error-body.ts';

/** Bodies of no framework in particular. */
export const simpleErrors = {
  error_object: ({ code, message, requestId }) => json({ error: { code, message, requestId } }),
  error_text: ({ message }) => json({ error: message }),
  code_message: ({ code, message }) => json({ code, message }),
  code_message_details: ({ code, message, fields }) =>
    json({
      code,
      message,
      details: Object.fromEntries(fields.map(({ field, problem }) => [field, problem])),
    }),
  error_code_message: ({ code, message }) => json({ errorCode: code, errorMessage: message }),
  message: ({ message }) => json({ message }),
  success_false: ({ code, message }) => json({ success: false, error: { code, message } }),
  data_null: ({ code, message }) => json({ data: null, error: { code, message } }),
} satisfies Record<string, ToErrorBody>;
