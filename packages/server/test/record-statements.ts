// Records the statements of the server while the tests run on PostgreSQL (statements.ts).
import { relative } from 'node:path';
import { expect, inject } from 'vitest';
import { ROOT } from './service.ts';
import { beginFile, startRecording } from './statement-recorder.ts';

const { folder, nullable, isWhole } = inject('recording');
startRecording(folder, nullable);
// Not in a hook: hooks do not run in a file whose tests are all skipped. A file that fails later fails the run.
if (isWhole) beginFile(relative(ROOT, expect.getState().testPath as string));
