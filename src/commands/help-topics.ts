import { type Text, t } from '../advice/advice.ts';

export const helpTopics: Record<string, Text> = {
  'exit-codes': t`Exit codes:
  0    done; an empty list is done
  1    a bug; --verbose shows where
  2    wrong usage, an invalid order or file, a file that another program has
       changed meanwhile, or not confirmed: nothing was sent
  3    no such order
  4    no API key, key rejected, or permission missing
  5    the service rejected the order, the cancellation or the request, or
       shows the new order cancelled
  6    finished, but some orders need fixing, exist more than once, or are
       not as in the file
  7    the service could not be reached, a list is not complete, this
       computer has run out of something, or the results could not be written
  8    outcome unknown: the order was sent, and no response can be trusted, or
       a cancellation was accepted and has changed nothing yet
  130  interrupted by Ctrl-C
  143  ended by SIGTERM

Run the same command again after 7, 8, 130 and 143: an order is never created
twice. After 2, 5 and 6 fix what the message names, after 4 log in again.`,

  environment: t`Environment variables; flags take precedence over them, and they over a profile:
  MERCHANT_ORDERS_API_KEY        the API key
  MERCHANT_ORDERS_BASE_URL       the address of the service
  MERCHANT_ORDERS_PROFILE        the profile to use
  MERCHANT_ORDERS_SANDBOX=1      use the sandbox on this machine
  MERCHANT_ORDERS_SANDBOX_API_KEY, MERCHANT_ORDERS_SANDBOX_READ_ONLY_KEY,
  MERCHANT_ORDERS_SANDBOX_ADMIN_TOKEN
                                 the keys and the token that sandbox start uses
  MERCHANT_ORDERS_CONFIG_DIR     the directory of configuration and ledger
  MERCHANT_ORDERS_NO_INPUT=1, CI=1
                                 never ask
  MERCHANT_ORDERS_LANG=mn        Mongolian at a terminal; en: English
  ACCESSIBLE=1                   plain questions, for screen readers
  NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM=dumb
                                 whether output has colours
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
                                 the proxy; never used for this machine
  NODE_EXTRA_CA_CERTS            a file with more certificate authorities`,
};
