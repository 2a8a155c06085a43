// Runs the tests in random order beside a process that keeps all cores busy: a test that depends on time or on order fails here.
// Arguments go to Vitest. To repeat an order, pass the seed that Vitest prints as --sequence.seed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Keeps `cores` cores busy until standard input ends. */
const BUSY = `
  const { Worker } = require('node:worker_threads');
  for (let i = 0; i < ${availableParallelism()}; i++) new Worker('for (;;);', { eval: true });
  process.stdin.resume().on('end', () => process.exit());`;

// Ends with this process, because its standard input does.
const busy = spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'inherit', 'inherit'] });
const tests = spawn(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--sequence.shuffle.files',
    '--sequence.shuffle.tests',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const [code] = (await once(tests, 'exit')) as [number | null];
busy.kill();
process.exitCode = code ?? 1;
