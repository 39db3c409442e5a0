import { describe, expect, it } from 'vitest';
import { CliError, type ErrorIssue } from '../src/errors.ts';

const issue = (path: string, message: string): ErrorIssue => ({ path, message });
const whole = (issues: ErrorIssue[], hasShownIssues = false) =>
  String(
    new CliError('order_refused', 'The service rejected the order: it is wrong.', { issues, hasShownIssues })
      .wholeSentence,
  );

describe('the whole message', () => {
  it.each<[ErrorIssue[], string]>([
    [[], ''],
    [[issue('total', 'is too high')], ' total: is too high.'],
    [
      [issue('total', 'is too high.'), issue('items[0].sku', 'is blank')],
      ' total: is too high. items[0].sku: is blank.',
    ],
  ])('%j', (issues, added) => {
    expect(whole(issues)).toBe(`The service rejected the order: it is wrong.${added}`);
  });

  it('contains the first twenty issues, and none when the sentence already has them', () => {
    const many = Array.from({ length: 100 }, (_, index) => issue(`f${index}`, 'no'));
    expect(whole(many).split(': no.')).toHaveLength(21);
    expect(whole(many, true)).toBe('The service rejected the order: it is wrong.');
  });
});
