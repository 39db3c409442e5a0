// Where an executable made by bin/build-binary.mjs starts, as the package does in bin/merchant-orders.js.
const sea = require('node:sea');
const { run } = require('../dist/main.cjs');

const { process } = globalThis;
const files = {
  readText: (path) => sea.getAsset(path, 'utf8'),
  list: (folder) => {
    const paths = sea.getAssetKeys().filter((path) => path.startsWith(folder));
    return paths.map((path) => path.slice(folder.length)).sort();
  },
};
run(process, files).then((exitCode) => {
  process.exitCode = exitCode;
});
