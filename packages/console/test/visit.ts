import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { PASSWORD } from './seed.ts';

const PATIENCE_MS = 10_000;

export interface VisitOptions {
  /** An email address with a password; null: nobody is signed in. */
  as: string | null;
  width?: number;
  height?: number;
  dark?: boolean;
}

/** Somebody at a browser of their own. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What must not be: errors of the page, on its console and of its content policy; failed requests; strangers. */
  problems: string[];
  /** Answers of these statuses, to addresses that fit, are what the test is about. Failed requests: status 0. */
  expectRefusals(statuses: number[], address?: RegExp): void;
  /** When the page has loaded what it shows. */
  settled(): Promise<void>;
  /** Opens an address, and waits for that. */
  goto(address: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a browser window at a Gatehouse whose console is at `url` and whose base_url is `base`. */
export async function openVisit(
  browser: Browser,
  { url, base }: { url: string; base: string },
  { as, width = 1440, height = 900, dark = false }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  const { origin } = new URL(url);
  await context.route(
    (address) => address.origin !== origin && address.protocol.startsWith('http'),
    (route) => {
      problems.push(`The page asked a stranger: ${route.request().url()}`);
      return route.abort();
    },
  );
  if (as !== null) await signIn(context, origin, base, as);
  const expected: { statuses: number[]; address: RegExp }[] = [];
  const isExpected = (status: number, address: string) =>
    expected.some((one) => one.statuses.includes(status) && one.address.test(address));
  context.on('page', (page) => watch(page, problems, isExpected));
  const page = await context.newPage();
  const underway = new Set<Request>();
  page.on('request', (request) => underway.add(request));
  page.on('requestfinished', (request) => underway.delete(request));
  page.on('requestfailed', (request) => underway.delete(request));
  const settled = () => settle(page, underway);
  return {
    page,
    settled,
    goto: async (address) => {
      await page.goto(address);
      await settled();
    },
    context,
    problems,
    expectRefusals: (statuses, address = /./) => expected.push({ statuses, address }),
    close: () => context.close(),
  };
}

async function signIn({ request }: BrowserContext, origin: string, base: string, email: string) {
  const answer = await request.post(`${base}/auth/sign-in/`, {
    data: { email, password: PASSWORD },
    headers: { origin },
  });
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${answer.status()} ${await answer.text()}`);
}

function watch(page: Page, problems: string[], isExpected: (status: number, address: string) => boolean) {
  page.on('pageerror', (error) => problems.push(`Error of the page: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isNetwork(message)) problems.push(`Console: ${message.text()}`);
  });
  page.on('response', (response) => {
    const address = `${response.request().method()} ${response.url()}`;
    if (response.status() >= 400 && !isExpected(response.status(), address))
      problems.push(`${address}: ${response.status()}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    const address = `${request.method()} ${request.url()}`;
    // What a page gives up when it is left.
    if (why !== 'net::ERR_ABORTED' && !isExpected(0, address)) problems.push(`${address}: ${why}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`A dialog of the browser: ${dialog.message()}`);
    return dialog.dismiss();
  });
}

/** Chromium's own words for what 'response' and 'requestfailed' tell with more detail. */
const isNetwork = (message: ConsoleMessage) => message.text().startsWith('Failed to load resource:');

/** Nothing is being asked of the server, nothing is shown as loading, and the page has its heading. */
function isQuiet(page: Page, underway: ReadonlySet<Request>): Promise<boolean> {
  if (underway.size > 0) return Promise.resolve(false);
  return page.evaluate(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('[aria-busy="true"], .mantine-Skeleton-root, [data-loading]') === null,
  );
}

async function settle(page: Page, underway: ReadonlySet<Request>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (let quiet = 0; quiet < 3; ) {
    quiet = (await isQuiet(page, underway)) ? quiet + 1 : 0;
    if (Date.now() > end) {
      const urls = [...underway].map((request) => request.url());
      throw new Error(`${page.url()} does not come to rest. Waiting for: ${urls.join(', ') || 'the page'}`);
    }
    await page.waitForTimeout(30);
  }
}
