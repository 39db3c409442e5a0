#!/usr/bin/env node
// node bin/release.mjs [FOLDER]: refuses to release what is not ready. With a folder it writes the package, its bill of
// materials and the checksums of all files in the folder, and prints the notes of the release.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, posix, sep } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (command, ...args) =>
  execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trimEnd();
const read = (name) => readFileSync(join(root, name), 'utf8');
const { version, ...manifest } = JSON.parse(read('package.json'));
const [folder] = process.argv.slice(2);

const packing = mkdtempSync(join(tmpdir(), 'merchant-orders-release-'));
try {
  const tarball = run('npm', 'pack', '--silent', '--pack-destination', packing).split('\n').at(-1);
  run('tar', '-xzf', join(packing, tarball), '-C', packing);
  const problems = [
    ...problemsOfAddresses(),
    ...problemsOfVersion(),
    ...problemsOfCheckout(),
    ...problemsOfPackage(join(packing, 'package')),
  ];
  for (const problem of problems) console.error(`error: ${problem}`);
  if (problems.length > 0) {
    console.error('Nothing was written.');
    process.exitCode = 1;
  } else if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(packing, tarball), join(folder, tarball));
    const materials = run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only');
    writeFileSync(join(folder, `merchant-orders-${version}.cdx.json`), `${materials}\n`);
    writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(folder));
    console.log(notes());
  } else console.error(`merchant-orders ${version} is ready to be released.`);
} finally {
  rmSync(packing, { recursive: true });
}

function problemsOfAddresses() {
  const { homepage, repository, bugs } = manifest;
  const addresses = { homepage, repository: repository?.url, bugs: bugs?.url };
  const placeholders = Object.entries(addresses)
    .filter(([, address]) => !URL.canParse(address) || new URL(address).hostname.endsWith('.invalid'))
    .map(
      ([name, address]) => `package.json: ${name} is the placeholder ${address}. Write the public address.`,
    );
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const here = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`;
  // npm compares them when it verifies the provenance of a package.
  const isElsewhere = GITHUB_REPOSITORY !== undefined && placeholders.length === 0 && repository.url !== here;
  return isElsewhere
    ? [`package.json: repository is ${repository.url}, but this workflow runs for ${here}.`]
    : placeholders;
}

function problemsOfVersion() {
  const locked = JSON.parse(read('package-lock.json')).version;
  return [
    ...(locked === version
      ? []
      : [
          `package-lock.json has version ${locked}, package.json ${version}. Run: npm install --package-lock-only`,
        ]),
    ...(notes() === undefined
      ? [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with changes.`]
      : []),
  ];
}

/** What CHANGELOG.md says of this version. */
function notes() {
  const section = read('CHANGELOG.md')
    .split(/^## /m)
    .find((text) => text.startsWith(`[${version}] - `));
  const [heading, ...lines] = section?.split('\n') ?? [''];
  const text = lines.join('\n').trim();
  return / - \d{4}-\d\d-\d\d$/.test(heading) && text !== '' ? text : undefined;
}

function problemsOfCheckout() {
  const changed = run('git', 'status', '--porcelain');
  const tags = run('git', 'tag', '--points-at', 'HEAD').split('\n');
  return [
    ...(changed === '' ? [] : [`The checkout has changes that are not committed:\n${changed}`]),
    ...(tags.includes(`v${version}`)
      ? []
      : [`This commit has ${tags[0] === '' ? 'no tag' : `the tag ${tags.join(', ')}`}, not v${version}.`]),
  ];
}

function problemsOfPackage(unpacked) {
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(unpacked.length + 1)
        .replaceAll(sep, '/'),
    );
  const { scripts = {} } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
  const installScripts = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
  return [
    ...installScripts
      .filter((name) => name in scripts)
      .map((name) => `package.json: the script ${name} would run on the machine of a user. Remove it.`),
    ...files
      .filter((name) => /^(?:src|test)\/|(?:^|\/)\.|(?<!\.d)\.ts$/.test(name))
      .map((name) => `The package has ${name}. Leave it out of "files" in package.json.`),
    ...files.flatMap((name) => problemsOfFile(unpacked, name)),
  ];
}

function problemsOfFile(unpacked, name) {
  const text = readFileSync(join(unpacked, name), 'utf8');
  const paths = [root, `${homedir()}${sep}`].filter((path) => text.includes(path));
  const links = name.endsWith('.md') ? [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)] : [];
  const broken = links.filter(([, to]) => !existsSync(join(unpacked, posix.join(dirname(name), to))));
  return [
    ...paths.map((path) => `The package has the path ${path} of this machine in ${name}.`),
    ...broken.map(([, to]) => `${name} links to ${to}, which is not in the package.`),
  ];
}

function checksumsOf(folder) {
  return readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
}
