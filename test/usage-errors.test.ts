import { describe, expect, it } from 'vitest';
import { runCli } from './support/cli.ts';

const key = 'mk_live_9876SECRET';

/** Command lines with a key where none belongs, and what the error says. */
const lines: [args: string[], message: string][] = [
  [['login', `--with-key=${key}`], '--with-key takes no value.'],
  [['login', '--with-key', key], "Too many arguments for 'login'. Expected 0 arguments but got 1."],
  [['login', `--with-key${key}`], 'Unknown option.'],
  [['login', `--key=${key}`], "Unknown option '--key'"],
  [['login', '--api-key', key], "Unknown option '--api-key'"],
  [['login', `-k${key}`], "Unknown option '-k'"],
  [['login', `-k=${key}`], "Unknown option '-k'"],
  [['login', `--${key}`], 'Unknown option.'],
  [['login', `--key=' (Did you mean ${key}?)`], "Unknown option '--key'"],
  [['login', `--key\n=${key}`], 'Unknown option.'],
  [['login', `--json=${key}`], '--json takes no value.'],
  [['login', `--base-url=${key}`], 'This is not a base URL.'],
  [['login', '--base-url', `http://${key}.mn`], 'The base URL is not https.'],
  [['login', '-p', `${key}/`, '--base-url', 'https://a.mn'], 'This cannot be the name of a profile.'],
  [['login', '--timeout', key], 'The value of --timeout is not valid. Expected a number of seconds above 0.'],
  [
    ['login', '--format', `${key}' is invalid. ${key}`],
    'The value of --format is not valid. Choose one of: table, json, ndjson, csv, tsv, text.',
  ],
  [[key], 'Unknown command.'],
  [['sandbox', key], 'Unknown command.'],
  [['help', key], 'There is no help about this topic.'],
  [['completion', key], 'The shell is not valid. Choose one of: bash, zsh, fish, powershell.'],
  [['imports', 'show', `--key=${key}`], "Unknown option '--key'"],
  [['list', '--created-from', key], '--created-from is not a day or a time.'],
];

describe('a usage error', () => {
  it.each(lines)('shows no value: %j', async (args, message) => {
    const { stdout, stderr, exitCode } = await runCli(args);
    expect([stdout, stderr.split('\n')[0], exitCode]).toEqual(['', `error: ${message}`, 2]);
    const json = await runCli([...args, '--json']);
    expect(stderr + json.stderr).not.toContain('9876');
  });

  it.each([
    [['list', '--al=5'], "Unknown option '--al' (Did you mean --all?)"],
    [['lst'], "Unknown command 'lst' (Did you mean list?)"],
    [['find', 'Bat'], "Unknown command 'find'. Use: merchant-orders list --search TEXT"],
    [['search', 'Bat'], "Unknown command 'search'. Use: merchant-orders list --search TEXT"],
    [['show', 'UB-1'], "Unknown command 'show'. Use: merchant-orders get ORDER"],
    [['frobnicate'], "Unknown command 'frobnicate'"],
  ])('names what may be meant: %j', async (args, message) => {
    expect((await runCli(args)).stderr.split('\n')[0]).toBe(`error: ${message}`);
  });
});
