// Where an executable made by bin/build-binary.mjs starts, as the package does in bin/merchant-orders.js.
const sea = require('node:sea');
const { run } = require('../dist/main.cjs');

const { process } = globalThis;
const files = {
  readText: (path) => sea.getAsset(path, 'utf8'),
  list: (folder) =>
    sea.getAssetKeys().flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : [])),
};
run(process, files).then((exitCode) => {
  process.exitCode = exitCode;
});
