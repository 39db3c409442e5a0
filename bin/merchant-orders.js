#!/usr/bin/env node
import module from 'node:module';
import process from 'node:process';

module.enableCompileCache?.();
const { run } = await import('../dist/main.js');
process.exitCode = await run(process, new URL('..', import.meta.url));
