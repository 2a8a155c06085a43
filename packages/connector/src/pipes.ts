import { Exit, reason } from './errors.ts';

let isInstalled = false;
let end: () => void = () => process.exit();

/**
 * Ends this process without a message when nobody reads its output any more, as in `list | head -1`. It ends with the exit code of
 * programs that SIGPIPE ends. `how` replaces an immediate end.
 */
export function endWithReader(how?: () => void): void {
  end = how ?? end;
  if (isInstalled) return;
  isInstalled = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') {
        process.once('exit', () => {
          process.exitCode = Exit.unread;
        });
        return end();
      }
      if (stream === process.stdout)
        process.stderr.write(`error: the output could not be written: ${reason(error)}\n`);
      process.exit(Exit.failed);
    });
}
