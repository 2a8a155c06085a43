import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openRunFolder } from '../../server/test/keeper.ts';
import { buildConsole } from './build.ts';
import { installChromium } from './chromium.ts';
import { type Seeded, seed } from './seed.ts';
import { startGatehouse } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of a database with the seeded company; each test file works on a copy. */
    template: string;
    templateKey: string;
    seeded: Seeded;
  }
}

/** What every file of browser tests needs is made once: the built console, the browser, the seeded company. */
export async function setup(project: TestProject) {
  const folder = await openRunFolder();
  const template = join(folder.path, 'template');
  await Promise.all([buildConsole(), installChromium()]);
  const service = await startGatehouse({ dataDir: template });
  project.provide('seeded', await seed(`${service.url}/org/acme`, service.key));
  project.provide('template', template);
  project.provide('templateKey', service.key);
  await service.stop();
  return folder.remove;
}
