import { DomainError, type DomainErrorCode } from '../errors.ts';
import type { Sentence } from '../sentences.ts';
import { yieldToRequests } from './priority.ts';

yieldToRequests();

interface Refusal {
  code: DomainErrorCode;
  said: Sentence;
  extra: ConstructorParameters<typeof DomainError>[2];
}

/** How a task ended. Errors lose their class on the way between threads, so a `DomainError` travels as data. */
export type Outcome = { result: unknown } | { refused: Refusal };

/** The entry of each thread: runs the export `run` of `file`. */
export async function runTask({ file, input }: { file: string; input: unknown }): Promise<Outcome> {
  const task = (await import(file)) as { run: (input: unknown) => unknown };
  try {
    return { result: await task.run(input) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, sentence, issues, retryAfter } = error;
    return {
      refused: {
        code,
        said: sentence,
        extra: { ...(issues && { issues }), ...(retryAfter !== undefined && { retryAfter }) },
      },
    };
  }
}
