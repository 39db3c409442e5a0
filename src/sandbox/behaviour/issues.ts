import * as z from 'zod';

/** Such as `rules[0].match.route: Invalid option: expected one of "create"|"get"`. */
export function describeIssues({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${z.core.toDotPath(path)}: ${message}`))
    .join('; ');
}
