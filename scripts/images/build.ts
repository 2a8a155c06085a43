import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './bases.ts';
import { HOME, podman, tryPodman } from './podman.ts';

/** The image of this working tree. */
export const IMAGE = 'localhost/gatehouse:this';
/** The same image with one more migration, as a later release has. */
export const NEXT_IMAGE = 'localhost/gatehouse:next';

const NEXT_MIGRATION = "alter table app add column added_later text not null default '';\n";

/** Builds the images. Steps that have not changed are taken from the build before. */
export async function buildImages(): Promise<void> {
  // OCI images have no health check.
  const options = ['--isolation', 'chroot', '--format', 'docker', '--pull=never', '--layers'];
  const built = await tryPodman('build', ...options, ...(await npmOfThisMachine()), '--tag', IMAGE, ROOT);
  if (built.code !== 0) throw new Error(`The image could not be built:\n${built.output.slice(-6000)}`);
  const folder = join(HOME, 'next');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '9999_next.sql'), NEXT_MIGRATION);
  const migrations = await podman(
    ...['run', '--rm', '--entrypoint', 'sh', IMAGE, '-c'],
    'dirname "$(find /app /usr/local/lib -name 0001_schema.sql 2>/dev/null)"',
  );
  await writeFile(join(folder, 'Dockerfile'), `FROM ${IMAGE}\nCOPY 9999_next.sql ${migrations}/\n`);
  await podman('build', ...options, '--tag', NEXT_IMAGE, folder);
}

/**
 * Options of a build with which npm reaches its registry as it does here. Nothing of them is in the image: they are mounted while
 * the steps run.
 */
async function npmOfThisMachine(): Promise<string[]> {
  const folder = join(HOME, 'npm');
  await mkdir(folder, { recursive: true });
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const settings = [`registry=${registry}`];
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities !== undefined) {
    await copyFile(authorities, join(folder, 'authorities.pem'));
    settings.push('cafile=/run/npm/authorities.pem');
  }
  await writeFile(join(folder, 'npmrc'), `${settings.join('\n')}\n`);
  const npmrc = join(folder, 'npmrc');
  return ['--volume', `${folder}:/run/npm:ro`, '--volume', `${npmrc}:/root/.npmrc:ro`];
}
