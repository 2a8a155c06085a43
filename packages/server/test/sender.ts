/** The files that ask. Their own frames do not count. */
const ASKING =
  /\/packages\/server\/test\/(sender|citus-strict|statement-recorder|row-recorder|lock-recorder)\.ts/;
/** Frames of libraries stand between ours. */
const DEPTH = 60;

/**
 * Returns the frames of the stack that belong to the server or to its tests, the innermost first. The stack goes on
 * through what is awaited, as far as each caller awaits the next. `lines` are those of the source, or of the code that runs, which
 * takes a tenth of the time.
 */
export function serverFrames(lines: 'of the source' | 'as they run' = 'of the source'): string[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = DEPTH;
  if (lines === 'as they run') Error.prepareStackTrace = (_, sites) => sites.join('\n');
  const { stack = '' } = new Error('Where');
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return stack.split('\n').filter((line) => line.includes('/packages/server/') && !ASKING.test(line));
}

/**
 * Returns the frame that decides to send a statement: the innermost outside the database layer, which runs the callbacks of
 * its callers. Undefined if the layer sends it for itself.
 */
export const senderOf = (frames: string[]): string | undefined =>
  frames.find((frame) => isOfTest(frame) || !frame.includes('/kit/database/'));

/** Whether a test sends a statement itself. Otherwise, the server does. */
export function isFromTest(frames: string[]): boolean {
  const sender = senderOf(frames);
  return sender !== undefined && isOfTest(sender);
}

const isOfTest = (frame: string) => frame.includes('.test.ts') || frame.includes('/packages/server/test/');
