import { apiErrors } from './error-bodies/apis.ts';
import { frameworkErrors } from './error-bodies/frameworks.ts';
import { json, namesOf, phraseOf, type ToErrorBody } from './error-body.ts';

/** Bodies that are no JSON object, or that do not say what they are. */
export const plainErrors = {
  html: ({ status }) => {
    const title = `${status} ${phraseOf(status)}`;
    return {
      text: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
      contentType: 'text/html',
    };
  },
  plain_text: ({ code, message }) => ({
    text: `${code}: ${message}\n`,
    contentType: 'text/plain; charset=utf-8',
  }),
  empty: () => ({ text: '', contentType: undefined }),
  json_text: ({ message }) => json(message),
  json_array: ({ code, message }) => json([{ code, message }]),
  // JSON behind a byte order mark, called something else.
  mislabelled: (facts) => ({
    text: `\uFEFF${json({ code: facts.code, message: facts.message }).text}`,
    contentType: 'text/html; charset=utf-8',
  }),
} satisfies Record<string, ToErrorBody>;

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

/** The bodies that errors have in the wild, by name. */
const all = { ...simpleErrors, ...frameworkErrors, ...apiErrors, ...plainErrors };

export const errorBodies: Record<keyof typeof all, ToErrorBody> = all;

export const errorBodyNames = namesOf(errorBodies);
