import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const run = promisify(execFile);

const SERVER = 'packages/server';
/** Folders that the server reads. */
const SHARED = ['packages/protocol', 'connectors'];

export interface Release {
  /** The program of its server. */
  main: string;
  /** The number of its newest migration. */
  newest: string;
  remove(): Promise<void>;
}

/**
 * Unpacks the server of the commit in `previous-release`, which uses the installed packages. Returns this server if there is
 * none, or the reason why it cannot run here.
 */
export async function openPreviousRelease(): Promise<Release | { missing: string }> {
  const file = await readFile(new URL('./previous-release', import.meta.url), 'utf8');
  const commit = file.split('\n').find((line) => /^[0-9a-f]{40}$/.test(line));
  if (commit === undefined) return releaseIn(ROOT, async () => {});
  const hasCommit = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
  if (!hasCommit)
    return { missing: `This clone does not contain the commit ${commit} of the previous release.` };
  const folder = await mkdtemp(join(await temporaryFolder(), 'gatehouse-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', `--output=${archive}`, commit, 'package.json', ...SHARED, SERVER], {
    cwd: ROOT,
  });
  await run('tar', ['--extract', `--file=${archive}`, `--directory=${folder}`]);
  const different = await differentPackages(join(folder, SERVER));
  if (different.length > 0) {
    await remove();
    return {
      missing: `The previous release needs other versions of these packages: ${different.join(', ')}.`,
    };
  }
  await linkPackages(folder);
  return releaseIn(folder, remove);
}

/** Copies this server, with one more migration. */
export async function openNextRelease(migration: string): Promise<Release> {
  const folder = await mkdtemp(join(await temporaryFolder(), 'gatehouse-next-'));
  for (const path of [
    'package.json',
    'packages/protocol',
    ...['package.json', 'src', 'migrations'].map((name) => join(SERVER, name)),
  ])
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  await symlink(join(ROOT, 'connectors'), join(folder, 'connectors'));
  await linkPackages(folder);
  const { newest } = await releaseIn(folder, async () => {});
  const number = String(Number(newest) + 1).padStart(4, '0');
  await writeFile(join(folder, SERVER, 'migrations', `${number}_next.sql`), migration);
  return releaseIn(folder, () => rm(folder, { recursive: true, force: true }));
}

async function linkPackages(folder: string): Promise<void> {
  for (const path of ['node_modules', join(SERVER, 'node_modules')])
    if (existsSync(join(ROOT, path))) await symlink(join(ROOT, path), join(folder, path));
}

async function releaseIn(folder: string, remove: Release['remove']): Promise<Release> {
  const migrations = (await readdir(join(folder, SERVER, 'migrations'))).filter((name) =>
    name.endsWith('.sql'),
  );
  const newest = migrations.sort().at(-1)?.slice(0, 4) ?? '';
  return { main: join(folder, SERVER, 'src/main.ts'), newest, remove };
}

/** Returns the dependencies of the server in `folder` that are not installed, or have another major version. */
async function differentPackages(folder: string): Promise<string[]> {
  const dependenciesOf = async (at: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(at, 'package.json'), 'utf8')).dependencies;
  const major = (version = '') => version.replace(/^\^/, '').split('.')[0];
  const installed = await dependenciesOf(join(ROOT, SERVER));
  return Object.entries(await dependenciesOf(folder))
    .filter(([name, version]) => major(version) !== major(installed[name]))
    .map(([name]) => name);
}
