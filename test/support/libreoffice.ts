import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { temporaryDirectory } from './cli.ts';

/** Saves a file in LibreOffice as .xlsx, opened as its dialog proposes for commas and UTF-8; returns its path. */
export function saveAsWorkbook(path: string): string {
  const folder = temporaryDirectory();
  const options = [
    '--headless',
    '--infilter=CSV:44,34,76,1',
    '--convert-to',
    'xlsx',
    '--outdir',
    folder,
    path,
  ];
  execFileSync('soffice', options, { env: { ...process.env, HOME: folder }, stdio: 'ignore' });
  return join(folder, path.replace(/^.*\//, '').replace(/\.\w+$/, '.xlsx'));
}
