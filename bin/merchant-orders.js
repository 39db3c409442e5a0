#!/usr/bin/env node
const nodeModule = require('node:module');
const { pathToFileURL } = require('node:url');

// This file and those of dist are CommonJS, which starts faster than ES modules.
nodeModule.enableCompileCache?.();
const { run } = require('../dist/main.cjs');
const { process } = globalThis;
run(process, pathToFileURL(`${__dirname}/../`)).then((exitCode) => {
  process.exitCode = exitCode;
});
