import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isHeld } from '../tests/lock.ts';
import { makeBases } from './bases.ts';
import { buildImages } from './build.ts';
import { HOME, missingHere, tryPodman } from './podman.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Why containers cannot run here, or undefined. */
    noContainers: string | undefined;
  }
}

/** The process whose tests use the containers. */
const LOCK = join(HOME, 'run.pid');

/** Builds the images that the tests run. Afterwards, only images are left. */
export async function setup(project: TestProject) {
  const missing = missingHere();
  project.provide('noContainers', missing);
  if (missing !== undefined) {
    console.log(`${missing} The tests of the image are skipped.`);
    return;
  }
  await lock();
  await removeContainers();
  await makeBases(console.log);
  console.log('Building the image.');
  await buildImages();
  return async () => {
    await removeContainers();
    await rm(LOCK, { force: true });
  };
}

async function lock() {
  // Makes the folder.
  await tryPodman('info');
  if (isHeld(LOCK)) throw new Error(`Another run of these tests uses ${HOME}. Wait until it has ended.`);
  await writeFile(LOCK, String(process.pid));
}

async function removeContainers() {
  for (const kind of ['pod', 'container', 'volume'])
    await tryPodman(kind, 'rm', '--all', '--force', ...(kind === 'volume' ? [] : ['--time', '0']));
  await tryPodman('network', 'prune', '--force');
  await tryPodman('secret', 'rm', '--all');
}
