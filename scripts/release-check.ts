// Checks everything that a release needs, and writes its files to dist-release. Prints a table, and fails if a check fails.
//
//   npm run release:check                                    all checks
//   npm run release:check -- --only version --only names     these checks
//   npm run release:check -- --skip suite                    all others
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMigrations, readReleased } from './release/migration-files.ts';
import { migrationProblems, unreleased } from './release/migrations.ts';
import { nameProblems } from './release/names.ts';
import { type Pictures, pictureProblems, readSource } from './release/pictures.ts';
import { changelogProblems, chosen, type Outcome, tableOf, treeProblems } from './release/state.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'dist-release');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version, scripts } = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
};

/** Each check returns what is wrong. They run in this order: the files of the release come last, with their checksums. */
const CHECKS: Record<string, () => string[] | Promise<string[]>> = {
  tree: () =>
    treeProblems({
      status: git('status', '--porcelain'),
      branch: git('branch', '--show-current').join(''),
      tags: git('tag', '--points-at', 'HEAD'),
      version,
    }),
  version: () => [...script('version', '--check'), ...changelogProblems(read('CHANGELOG.md'), version)],
  migrations: () => {
    const [files, released] = [readMigrations(), readReleased()];
    const open = unreleased(files, released);
    const problems = open.map((name) => `${name} is not frozen. Run: npm run migrations -- --freeze`);
    return [...migrationProblems(files, released), ...problems];
  },
  names: () => {
    const packages = namesOfPackages();
    return git('ls-files', '*.md', 'deploy').flatMap((file) =>
      nameProblems(read(file), packages).map((problem) => `${file}: ${problem}.`),
    );
  },
  pictures: () => {
    const names = globSync('docs/console/*.png', { cwd: ROOT }).map((file) =>
      file.slice('docs/console/'.length, -4),
    );
    return pictureProblems(
      names.sort(),
      JSON.parse(read('docs/console/pictures.json')) as Pictures,
      readSource,
    );
  },
  contents: () => script('release:contents'),
  documents: () => [...script('docs', '--check'), ...script('docs:site')],
  checks: () => script('check'),
  packages: () => script('packs'),
  suite: () => script('test:all'),
  files: async () => {
    const { readServerDocument } = await import('../packages/console/scripts/server-document.ts');
    mkdirSync(FOLDER, { recursive: true });
    const document = `${JSON.stringify(await readServerDocument(), null, 1)}\n`;
    writeFileSync(join(FOLDER, `openapi-${version}.json`), document);
    const files = readdirSync(FOLDER)
      .filter((name) => name !== 'SHA256SUMS')
      .sort();
    writeFileSync(join(FOLDER, 'SHA256SUMS'), files.map(checksum).join(''));
    const old = files.filter((name) => name.endsWith('.tgz') && !name.endsWith(`-${version}.tgz`));
    return old.map((name) => `dist-release/${name} is of another version.`);
  },
};

const names = Object.keys(CHECKS);
const wanted = chosen(names, process.argv.slice(2));
const outcomes: Outcome[] = [];
for (const [name, check] of Object.entries(CHECKS)) {
  if (!wanted.has(name)) {
    outcomes.push({ name, problems: undefined, seconds: 0 });
    continue;
  }
  console.log(`\n=== ${name}`);
  const start = performance.now();
  const problems = await check();
  for (const problem of problems) console.error(problem);
  outcomes.push({ name, problems, seconds: (performance.now() - start) / 1000 });
}
console.log(`\nGatehouse ${version}\n${tableOf(outcomes).join('\n')}`);
if (outcomes.some(({ problems = [] }) => problems.length > 0)) process.exitCode = 1;

function git(...parameters: string[]): string[] {
  const printed = execFileSync('git', parameters, { cwd: ROOT, encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}

/** Runs a script of package.json, which prints what is wrong. */
function script(name: string, ...parameters: string[]): string[] {
  if (scripts[name] === undefined) return [`package.json has no script ${name}.`];
  const { status } = spawnSync('npm', ['run', '--silent', name, '--', ...parameters], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  return status === 0 ? [] : [`npm run ${name} failed.`];
}

/** The packages of the lock file, of which those of this repository are published with it. */
function namesOfPackages(): Set<string> {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { name?: string }>;
  };
  return new Set(
    Object.entries(packages).map(([folder, { name }]) => name ?? folder.replace(/^.*node_modules\//, '')),
  );
}

function checksum(name: string): string {
  return `${createHash('sha256')
    .update(readFileSync(join(FOLDER, name)))
    .digest('hex')}  ${name}\n`;
}
