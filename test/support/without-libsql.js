// With `--import` of this file, libsql is not installed, so the SQLite of Node.js is used.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'libsql' ? 'not-installed' : specifier, context),
});
