import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { languages } from './packages/console/lingui.plugin.ts';

// Workers inherit this, and so do the services that tests start: Node.js then compiles each module once for all of them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('./node_modules/.cache/gatehouse/compiled', import.meta.url),
);

/** The tests that a run covers if its command line names none (CONTRIBUTING.md). */
const RUNS = {
  // npm test: each test once, without those that take long.
  once: { project: ['postgres', 'packages', 'browser'], tagsFilter: ['!long'] },
  // npm run test:engines
  engines: { project: ['pglite', 'citus'], tagsFilter: ['engine'] },
  // npm run test:all
  all: {},
};
const run = RUNS[(process.env.GATEHOUSE_TESTS ?? 'once') as keyof typeof RUNS];

/** Begins with the files that take long, so that none of them is left alone at the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      /^\/\/ @module-tag long$/m.test(readFileSync(moduleId, 'utf8').slice(0, 200));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const serverTests = {
  include: ['packages/server/src/**/*.test.ts', 'packages/server/test/system/*.test.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A wait ends when its condition holds; this is only how long it may take on a busy machine.
  expect: { poll: { timeout: 10_000 } },
  // The files of a worker share its modules: loading the server and compiling PGlite takes longer than most files.
  isolate: false,
};

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than processors, since a test also waits. Each worker may hold a database of its own; 200 connections are
    // there for all of them.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    tags: [
      {
        name: 'long',
        description: 'Not part of `npm test`: models, kills, and most pages in a browser.',
      },
      {
        name: 'engine',
        description: 'Also part of `npm run test:engines`: the subject is behavior of the database.',
      },
    ],
    ...run,
    // Vitest brings its own for a random order (scripts/stress.ts).
    ...(process.argv.includes('--sequence.shuffle.files') ? {} : { sequence: { sequencer: LongFirst } }),
    projects: [
      {
        test: { ...serverTests, name: 'pglite', globalSetup: 'packages/server/test/prepare-pglite.ts' },
      },
      {
        test: {
          ...serverTests,
          name: 'postgres',
          globalSetup: 'packages/server/test/prepare-postgres.ts',
          setupFiles: 'packages/server/test/record-statements.ts',
        },
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
                // A test plans the statements that the run on PostgreSQL has recorded.
                sequence: { groupOrder: 1 },
                // Each statement takes a detour, and the nodes share the machine with the tests.
                expect: { poll: { timeout: 10_000 } },
                testTimeout: 120_000,
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
            'packages/server/test/*.test.ts',
            'connectors/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['packages/console/test/**/*.test.ts'],
          globalSetup: 'packages/console/test/prepare-browser.ts',
          // The files of a worker share a server and a browser.
          isolate: false,
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
