import { json, phraseOf, type ToErrorBody } from '../error-body.ts';

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
