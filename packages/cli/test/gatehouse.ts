import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Runs the command line in a folder, which also holds its configuration and state. */
export async function runGatehouse(
  folder: string,
  args: string[],
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {},
) {
  const { GATEHOUSE_URL: _url, GATEHOUSE_API_KEY: _key, ...rest } = process.env;
  const own = { ...rest, XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder, NO_COLOR: '1', ...env };
  const child = spawn(process.execPath, [main, ...args], { env: own, cwd: folder });
  child.stdin.end(stdin);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done) => child.on('exit', done)),
  ]);
  return { stdout, stderr, code };
}
