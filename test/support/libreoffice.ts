import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { temporaryDirectory } from './cli.ts';

/** Saves a file in LibreOffice, opened as its dialog proposes for commas and UTF-8; returns its path. */
export function saveAsWorkbook(path: string, filter = 'xlsx'): string {
  const folder = temporaryDirectory();
  const options = [
    '--headless',
    '--infilter=CSV:44,34,76,1',
    '--convert-to',
    filter,
    '--outdir',
    folder,
    path,
  ];
  execFileSync('soffice', options, { env: { ...process.env, HOME: folder }, stdio: 'ignore' });
  return join(folder, path.replace(/^.*\//, '').replace(/\.\w+$/, `.${filter.split(':')[0]}`));
}
