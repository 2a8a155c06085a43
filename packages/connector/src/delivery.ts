import { spawn } from 'node:child_process';

/**
 * A delivery hook for connectors without one of their own: runs a program of the administrator's choosing and hands it
 * `{"account": ..., "password": ...}` on standard input, where no process list shows it.
 */
export function deliverToProgram(
  program: string | undefined,
  message: { account: string; password: string },
): Promise<void> {
  if (!program) return Promise.reject(new Error('no program to hand new passwords to is set'));
  return new Promise((resolve, reject) => {
    const child = spawn(program, { shell: true, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`the delivery program ended with ${code}`)),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify(message)}\n`);
  });
}
