import { readFileSync } from 'node:fs';

export function readVersion(packageRoot: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
    version: string;
  };
  return version;
}
