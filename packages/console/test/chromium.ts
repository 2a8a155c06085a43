import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../../..');
const PACKED = join(ROOT, 'node_modules/@sparticuz/chromium');
const START_MS = 30_000;

interface Installed {
  executable: string;
  environment: Record<string, string>;
}

/** Launches a Chromium that can reach this machine only: CHROMIUM_PATH, the system's, or the one from npm. */
export const launchChromium = (): Promise<Browser> => start((options) => chromium.launch(options));

/** Launches a Chromium that several processes share: each connects to its `wsEndpoint()`. */
export const launchSharedChromium = (): Promise<BrowserServer> =>
  start((options) => chromium.launchServer(options));

/** Launches the Chromium from npm with its font only, so that pages have the same pixels on every machine. */
export const launchPinnedChromium = (): Promise<Browser> =>
  start((options) => chromium.launch(options), true);

async function start<T>(launch: (options: LaunchOptions) => Promise<T>, pinned = false): Promise<T> {
  const { executable, environment } = await (pinned
    ? unpackChromium('pinned-fonts.conf')
    : installChromium());
  try {
    return await launch({
      executablePath: executable,
      env: { ...(process.env as Record<string, string>), ...environment },
      // Chromium's sandbox does not work as root or in most containers. The browser only opens our own pages.
      chromiumSandbox: false,
      args: [
        '--host-resolver-rules=MAP localhost 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        '--font-render-hinting=none',
        // A test opens a page for seconds: compiling it a second and a third time costs more than it saves, a quarter of the time.
        '--js-flags=--no-opt --no-maglev',
      ],
      timeout: START_MS,
    });
  } catch (cause) {
    throw new Error(
      `Chromium does not start (${executable}). Set CHROMIUM_PATH to another Chromium, or see its output below.`,
      { cause },
    );
  }
}

/** Returns the path of Chromium. Unpacks the one from npm first, once per version. */
export async function installChromium(): Promise<Installed> {
  const own =
    process.env.CHROMIUM_PATH ||
    (await findOnPath('chromium-headless-shell')) ||
    (await findOnPath('chromium'));
  return own ? { executable: own, environment: {} } : unpackChromium('fonts.conf');
}

async function unpackChromium(fontSettings: string): Promise<Installed> {
  const { version } = JSON.parse(await readFile(join(PACKED, 'package.json'), 'utf8'));
  const folder = join(ROOT, `node_modules/.cache/gatehouse/chromium-${version}-2`);
  if (!(await isExecutable(join(folder, 'chromium')))) await unpack(folder);
  return {
    executable: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, fontSettings),
    },
  };
}

async function findOnPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (await isExecutable(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The package unpacks into TMPDIR, and adds its libraries only if it believes it runs in AWS Lambda. */
async function unpack(folder: string): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', `await (await import('@sparticuz/chromium')).default.executablePath()`],
      {
        cwd: ROOT,
        env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
        timeout: 120_000,
      },
    );
    await writeFile(join(draft, 'fonts.conf'), fonts(folder, ['/usr/share/fonts']));
    await writeFile(join(draft, 'pinned-fonts.conf'), fonts(folder, []));
    await rename(draft, folder);
  } catch (cause) {
    // Another process may have unpacked it first.
    if (!(await isExecutable(join(folder, 'chromium'))))
      throw new Error('Chromium cannot be unpacked from the npm package @sparticuz/chromium.', { cause });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Prefers the package's font, so that pages look the same on every machine. System fonts supply missing characters. */
const fonts = (folder: string, others: string[]) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  ${others.map((other) => `<dir>${other}</dir>`).join('')}
  <cachedir>${join(folder, 'font-cache')}</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family><family>Open Sans</family></prefer></alias>
</fontconfig>
`;
