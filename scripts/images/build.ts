import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packInto } from '../packs/pack.ts';
import { ROOT } from './bases.ts';
import { HOME, podman, tryPodman } from './podman.ts';

/** The image of this working tree. */
export const IMAGE = 'localhost/gatehouse:this';
/** The same image with one more migration, as a later release has. */
export const NEXT_IMAGE = 'localhost/gatehouse:next';

const NEXT_MIGRATION = "alter table app add column added_later text not null default '';\n";

/** Packs the server and builds the images of it. Steps that have not changed are taken from the build before. */
export async function buildImages(): Promise<void> {
  const folder = join(HOME, 'context');
  await mkdir(folder, { recursive: true });
  for (const name of ['Dockerfile', '.dockerignore']) await copyFile(join(ROOT, name), join(folder, name));
  packInto(join(folder, 'dist-release'), { clients: false });
  await build(IMAGE, folder, await npmOfThisMachine());
  await build(NEXT_IMAGE, await folderOfNext());
}

async function build(name: string, folder: string, more: string[] = []) {
  // Images of the format OCI, which is podman's own, have no health check.
  const options = ['--isolation', 'chroot', '--format', 'docker', '--pull=never', '--layers'];
  const { code, output } = await tryPodman('build', ...options, ...more, '--tag', name, folder);
  if (code !== 0) throw new Error(`${name} could not be built:\n${output.slice(-6000)}`);
}

async function folderOfNext(): Promise<string> {
  const folder = join(HOME, 'next');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '9999_next.sql'), NEXT_MIGRATION);
  const find = "dirname $(find / -xdev -name 0001_schema.sql -not -path '/proc/*' 2>/dev/null)";
  const migrations = await podman('run', '--rm', '--entrypoint=sh', IMAGE, '-c', find);
  await writeFile(join(folder, 'Dockerfile'), `FROM ${IMAGE}\nCOPY 9999_next.sql ${migrations}/\n`);
  return folder;
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
