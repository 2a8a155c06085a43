import { getPriority } from 'node:os';
import { threadId } from 'node:worker_threads';
import { invalid } from '#kit/errors.ts';

/** A task for the tests of the worker pool. */
export async function run({ act, text = '' }: { act: string; text?: string }) {
  switch (act) {
    case 'spin':
      for (;;);
    case 'hoard': {
      const all: object[] = [];
      for (;;) all.push({ n: all.length });
    }
    case 'refuse':
      throw invalid('The text is wrong.');
    case 'fail':
      throw new TypeError('a bug');
    case 'rank':
      return { length: getPriority(), thread: threadId };
    case 'secrets':
      return {
        length: Object.keys(process.env).filter((name) => name !== 'NODE_COMPILE_CACHE').length,
        thread: 0,
      };
    default:
      return { length: text.length, thread: threadId };
  }
}
