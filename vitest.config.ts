import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { languages } from './packages/console/lingui.plugin.ts';

// Workers inherit this, and so do the services that tests start: Node.js then compiles each module once for all of them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('./node_modules/.cache/gatehouse/compiled', import.meta.url),
);

// `npm run test:all` runs everything. `npm test` runs each test once, without those that take long.
const all = process.env.GATEHOUSE_TESTS === 'all';

const serverTests = {
  include: ['packages/server/src/**/*.test.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // The files of a worker share its modules: loading the server and compiling PGlite takes longer than most files.
  isolate: false,
};

export default defineConfig({
  test: {
    pool: 'forks',
    // Each worker may hold a database of its own; 200 connections are there for all of them.
    maxWorkers: Math.min(availableParallelism(), 8),
    tags: [
      {
        name: 'long',
        description: 'Runs with `npm run test:all` only: models, kills, and most pages in a browser.',
      },
      {
        name: 'once',
        description: 'CI runs it on PostgreSQL only, because it does not depend on the engine.',
      },
    ],
    ...(all ? {} : { project: ['postgres', 'packages', 'browser'], tagsFilter: ['!long'] }),
    projects: [
      {
        test: { ...serverTests, name: 'pglite', globalSetup: 'packages/server/test/prepare-pglite.ts' },
      },
      {
        test: { ...serverTests, name: 'postgres', globalSetup: 'packages/server/test/prepare-postgres.ts' },
      },
      // Runs only if there is a Citus (CONTRIBUTING.md).
      ...(process.env.GATEHOUSE_CITUS_DIR
        ? [
            {
              test: {
                ...serverTests,
                name: 'citus',
                globalSetup: 'packages/server/test/prepare-citus.ts',
                setupFiles: 'packages/server/test/citus-strict.ts',
                // Each statement takes a detour, and the nodes share the machine with the tests.
                expect: { poll: { timeout: 10_000 } },
                testTimeout: 120_000,
                // On a busy machine, a test in thousands takes too long. We do not know why yet.
                retry: 1,
              },
            },
          ]
        : []),
      {
        plugins: languages(),
        test: {
          name: 'packages',
          setupFiles: 'packages/console/test/english.ts',
          include: [
            'packages/{connector,cli}/**/*.test.ts',
            'packages/console/{src,scripts}/**/*.test.ts',
            'packages/server/test/**/*.test.ts',
            'connectors/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['packages/console/test/**/*.test.ts'],
          globalSetup: 'packages/console/test/prepare-browser.ts',
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
