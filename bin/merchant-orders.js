#!/usr/bin/env node
const nodeModule = require('node:module');
const { pathToFileURL } = require('node:url');

const { process } = globalThis;
if (nodeModule.enableCompileCache) {
  const cache = require('../dist/compile-cache.cjs').findCompileCache(process.env);
  if (cache !== undefined) nodeModule.enableCompileCache(cache);
}
// This file and those of dist are CommonJS, which starts faster than ES modules.
const { packageFilesIn, run } = require('../dist/main.cjs');
run(process, packageFilesIn(pathToFileURL(`${__dirname}/../`))).then((exitCode) => {
  process.exitCode = exitCode;
});
