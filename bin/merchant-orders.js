#!/usr/bin/env node
import module from 'node:module';
import process from 'node:process';

module.enableCompileCache?.();
const { run } = module.createRequire(import.meta.url)('../dist/main.cjs');
process.exitCode = await run(process, new URL('..', import.meta.url));
