import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './service.ts';
import { temporaryFolder } from './temporary.ts';

const run = promisify(execFile);

/** The program of the previous release, or the reason why it cannot run here. */
export type PreviousRelease =
  | { main: string; migrate: string; migrations: string; remove(): Promise<void> }
  | { missing: string };

/** Unpacks the server of the commit in `previous-release`. It uses the installed packages. */
export async function openPreviousRelease(): Promise<PreviousRelease> {
  const file = await readFile(new URL('./previous-release', import.meta.url), 'utf8');
  const commit = file.split('\n').find((line) => /^[0-9a-f]{40}$/.test(line)) ?? '';
  const hasCommit = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  );
  if (!hasCommit)
    return { missing: `This clone does not contain the commit ${commit} of the previous release.` };
  const folder = await mkdtemp(join(await temporaryFolder(), 'gatehouse-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', `--output=${archive}`, commit, 'package.json', 'packages/server'], {
    cwd: ROOT,
  });
  await run('tar', ['--extract', `--file=${archive}`, `--directory=${folder}`]);
  const different = await differentPackages(join(folder, 'packages/server'));
  if (different.length > 0) {
    await remove();
    return {
      missing: `The previous release needs other versions of these packages: ${different.join(', ')}.`,
    };
  }
  for (const path of ['node_modules', 'packages/server/node_modules'])
    if (existsSync(join(ROOT, path))) await symlink(join(ROOT, path), join(folder, path));
  return {
    main: join(folder, 'packages/server/src/main.ts'),
    migrate: join(folder, 'packages/server/src/platform/database/migrate.ts'),
    migrations: join(folder, 'packages/server/migrations'),
    remove,
  };
}

/** Returns the dependencies of the server in `folder` that are not installed, or have another major version. */
async function differentPackages(folder: string): Promise<string[]> {
  const dependenciesOf = async (at: string): Promise<Record<string, string>> =>
    JSON.parse(await readFile(join(at, 'package.json'), 'utf8')).dependencies;
  const major = (version = '') => version.replace(/^\^/, '').split('.')[0];
  const installed = await dependenciesOf(join(ROOT, 'packages/server'));
  return Object.entries(await dependenciesOf(folder))
    .filter(([name, version]) => major(version) !== major(installed[name]))
    .map(([name]) => name);
}
