import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openRunFolder } from '../../server/test/keeper.ts';
import { buildConsole } from './build.ts';
import { launchSharedChromium } from './chromium.ts';
import { type Seeded, seed } from './seed.ts';
import { startGatehouse } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The data folder of the seeded company. Each test file works on a copy. */
    template: string;
    templateKey: string;
    /** The address of the Chromium that all test files share. */
    chromium: string;
    seeded: Seeded;
  }
}

/** Prepares once what all browser tests need: the console's build, Chromium and the seeded company. */
export async function setup(project: TestProject) {
  const folder = await openRunFolder();
  const template = join(folder.path, 'template');
  await buildConsole();
  const [browser, service] = await Promise.all([
    launchSharedChromium(),
    startGatehouse({ dataDir: template }),
  ]);
  project.provide('chromium', browser.wsEndpoint());
  project.provide('seeded', await seed(`${service.url}/org/acme`, service.key));
  project.provide('template', template);
  project.provide('templateKey', service.key);
  await service.stop();
  return async () => {
    await browser.close();
    await folder.remove();
  };
}
