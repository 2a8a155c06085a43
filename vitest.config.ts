import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { languages } from './packages/console/lingui.plugin.ts';
import { Watchdog } from './scripts/tests/watchdog.ts';

// Workers inherit this, and so do the services that tests start: Node.js then compiles each module once for all of them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('./node_modules/.cache/gatehouse/compiled', import.meta.url),
);

/**
 * The tests that a run covers, a pattern of the files that have some, and after how many minutes the run has gone wrong
 * (CONTRIBUTING.md).
 */
const RUNS = {
  // npm test: each test once, without those that take long or need another program.
  once: {
    project: ['postgres', 'packages', 'browser'],
    tagsFilter: ['!long && !servers'],
    files: /^(?!(\/\/ @module-tag \w+\n)*\/\/ @module-tag (long|servers)\n)/,
    minutes: 30,
  },
  // The parts of npm run test:all
  pglite: { project: ['pglite'], tagsFilter: ['engine'], files: tagged('engine'), minutes: 45 },
  citus: { project: ['citus'], tagsFilter: ['engine'], files: tagged('engine'), minutes: 45 },
  browser: { project: ['browser'], tagsFilter: ['long'], files: tagged('long'), minutes: 45 },
  servers: {
    project: ['postgres', 'packages'],
    tagsFilter: ['servers'],
    files: tagged('servers'),
    minutes: 45,
  },
  long: {
    project: ['postgres', 'packages'],
    tagsFilter: ['long && !servers'],
    files: tagged('long'),
    minutes: 45,
  },
  images: { project: ['images'], files: /^/, minutes: 45 },
};
const { minutes, files, ...run } = RUNS[(process.env.GATEHOUSE_TESTS ?? 'once') as keyof typeof RUNS];

/** Matches the source of a file that has the tag, or a test with it. */
function tagged(name: string) {
  return new RegExp(`^// @module-tag ${name}$|tags: \\[.*'${name}'`, 'm');
}

/**
 * The projects, and the files that start servers, in the order in which they begin. The browser's company is seeded while the tests
 * before its own run.
 */
const ORDER = ['packages', 'servers', 'browser', 'pglite', 'postgres', 'citus'];

/**
 * Leaves out the files without a test of the run, which would be loaded to skip all of their tests. Begins with the files that take
 * long, and those that start servers, so that none of them is left alone at the end.
 */
class TestsOfRun extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(specifications)).map((file) => ({
      file,
      source: readFileSync(file.moduleId, 'utf8'),
    }));
    const chosen = sorted.filter(({ source }) => files.test(source));
    if (chosen.length === 0 && sorted.length > 0)
      process.stderr.write(
        'These files have no test of this run. CONTRIBUTING.md says which part runs them.\n',
      );
    const placeOf = ({ file, source }: (typeof chosen)[number]) => [
      /^\/\/ @module-tag long$/m.test(source) ? 0 : 1,
      ORDER.indexOf(/\bstartService\(/.test(source) ? 'servers' : file.project.name),
    ];
    const compare = (a: number[], b: number[]) =>
      a.map((place, at) => place - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
    return chosen
      .map((each) => ({ ...each, place: placeOf(each) }))
      .sort((a, b) => compare(a.place, b.place))
      .map(({ file }) => file);
  }
}

// A wait ends when its condition holds; this is only how long it may take on a busy machine.
const WAIT = { poll: { timeout: 15_000 } };

// Finding the place of each statement takes a tenth of the time, so only the parts and .ci/run do it.
const recorder = process.env.GATEHOUSE_TESTS ? ['packages/server/test/record-statements.ts'] : [];

const serverTests = {
  include: ['packages/server/src/**/*.test.ts', 'packages/server/test/system/*.test.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: WAIT,
  setupFiles: ['packages/server/test/remember-hashes.ts'],
  // The files of a worker share its modules: loading the server and compiling PGlite takes longer than most files.
  isolate: false,
};

export default defineConfig({
  test: {
    pool: 'forks',
    // Two more than processors, since a test also waits. Each worker may hold a database of its own; 200 connections are
    // there for all of them.
    maxWorkers: Math.min(availableParallelism() + 2, 8),
    tags: [
      {
        name: 'long',
        description: 'Not part of `npm test`: models, kills, and most pages in a browser.',
      },
      {
        name: 'servers',
        description: 'Not part of `npm test`: needs a server from Debian, such as slapd or MariaDB.',
      },
      {
        name: 'engine',
        description:
          'Also part of `npm run test:all -- pglite citus`: the subject is behavior of the database.',
      },
    ],
    reporters: [
      'default',
      ...(process.env.GATEHOUSE_TEST_REPORT
        ? [['json', { outputFile: process.env.GATEHOUSE_TEST_REPORT }] as ['json', object]]
        : []),
      new Watchdog(minutes),
    ],
    ...run,
    // Vitest brings its own for a random order (scripts/stress.ts).
    ...(process.argv.includes('--sequence.shuffle.files') ? {} : { sequence: { sequencer: TestsOfRun } }),
    projects: [
      // Its global setup goes on while the others prepare their databases.
      {
        test: {
          name: 'browser',
          include: ['packages/console/test/**/*.test.ts'],
          globalSetup: 'packages/console/test/prepare-browser.ts',
          setupFiles: ['packages/server/test/remember-hashes.ts'],
          // The files of a worker share a server and a browser.
          isolate: false,
          expect: WAIT,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: { ...serverTests, name: 'pglite', globalSetup: 'packages/server/test/prepare-pglite.ts' },
      },
      {
        test: {
          ...serverTests,
          name: 'postgres',
          globalSetup: 'packages/server/test/prepare-postgres.ts',
          setupFiles: [...serverTests.setupFiles, 'packages/server/test/record-locks.ts', ...recorder],
        },
      },
      // Runs only if there is a Citus (docs/reference/development.md).
      ...(process.env.GATEHOUSE_CITUS_DIR
        ? [
            {
              test: {
                ...serverTests,
                name: 'citus',
                globalSetup: 'packages/server/test/prepare-citus.ts',
                setupFiles: [...serverTests.setupFiles, 'packages/server/test/citus-strict.ts'],
                // A test plans the statements that the run on PostgreSQL has recorded.
                sequence: { groupOrder: 1 },
              },
            },
          ]
        : []),
      {
        plugins: languages(),
        test: {
          name: 'packages',
          setupFiles: 'packages/console/test/english.ts',
          expect: WAIT,
          include: [
            'packages/{protocol,connector,cli,help}/**/*.test.ts',
            'packages/console/{src,scripts}/**/*.test.ts',
            'packages/server/test/*.test.ts',
            'connectors/**/*.test.ts',
            'bench/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, 'scripts/images/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // The files of a worker share its modules, since most of them load the same ones.
          isolate: false,
          unstubEnvs: true,
        },
      },
      {
        test: {
          name: 'images',
          include: ['scripts/images/*.test.ts'],
          globalSetup: 'scripts/images/prepare.ts',
          // Files that start containers beside each other wait long on a small machine.
          fileParallelism: false,
          expect: WAIT,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
