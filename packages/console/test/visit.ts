import type { Browser, BrowserContext, ConsoleMessage, Page, Request } from 'playwright-core';
import { PASSWORD } from './seed.ts';

/** A wait that succeeds costs nothing, and a busy machine can take long. */
const PATIENCE_MS = 60_000;

export interface VisitOptions {
  /** The email of the person to sign in; null for nobody. */
  as: string | null;
  width?: number;
  height?: number;
  dark?: boolean;
  /** Uses no session of an earlier visit, and leaves none: for tests that change sessions or how the browser works. */
  own?: boolean;
  /** The browser's time zone, with `own`. */
  timeZone?: string;
  /** Origins other than Gatehouse's that pages may request. */
  origins?: string[];
}

/** A browser window with its own session. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Page errors, console errors, content policy violations, failed requests and requests to other hosts. */
  problems: string[];
  /** Accepts responses with these statuses from matching addresses. Status 0 stands for failed requests. */
  expectRefusals(statuses: number[], address?: RegExp): void;
  /** Waits until the page has loaded its content. */
  settled(): Promise<void>;
  /** Opens an address of the console, such as `/people`, and waits until it is settled. */
  goto(address: string): Promise<void>;
  close(): Promise<void>;
}

/** Where Gatehouse is. The console of the organization with this base_url is at `home`. */
interface Place {
  url: string;
  base: string;
  home?: string;
}

/** Opens a browser context with a session. Files that it has loaded stay loaded for the next visit in it. */
export async function openContext(
  browser: Browser,
  { url, base }: Place,
  as: string | null,
  timeZone = 'UTC',
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: timeZone,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  // As on a later visit, so that the font does not change between two pages.
  await context.addInitScript(() => {
    try {
      localStorage.setItem('gatehouse-font', 'true');
    } catch {
      // An empty page has no storage.
    }
  });
  if (as !== null) await signIn(context, new URL(url).origin, base, as);
  return context;
}

/** Opens a browser window in a context, by default in one of its own. */
export async function openVisit(
  browser: Browser,
  place: Place,
  { as, width = 1440, height = 900, dark = false, timeZone, origins = [] }: VisitOptions,
  given?: BrowserContext,
): Promise<Visit> {
  const { url, home = url } = place;
  const context = given ?? (await openContext(browser, place, as, timeZone));
  const problems: string[] = [];
  const { origin } = new URL(url);
  // The browser reaches no other host (chromium.ts). Intercepting requests would turn off its cache.
  const onRequest = (request: Request) => {
    const address = new URL(request.url());
    if (![origin, ...origins].includes(address.origin) && address.protocol.startsWith('http'))
      problems.push(`Request to another host: ${address.href}`);
  };
  context.on('request', onRequest);
  const expected: { statuses: number[]; address: RegExp }[] = [];
  const isExpected = (status: number, address: string) =>
    expected.some((one) => one.statuses.includes(status) && one.address.test(address));
  const onPage = (page: Page) => watch(page, problems, isExpected);
  context.on('page', onPage);
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
  const underway = new Set<Request>();
  page.on('request', (request) => underway.add(request));
  page.on('requestfinished', (request) => underway.delete(request));
  page.on('requestfailed', (request) => underway.delete(request));
  const settled = () => settle(page, underway);
  return {
    page,
    settled,
    goto: async (address) => {
      // Closing a dialog goes back in the history a moment later, which would abort the navigation.
      await page.waitForFunction(() => !history.state?.dialog, undefined, { timeout: 1000 }).catch(() => {});
      const go = () => page.goto(address.startsWith('/') ? home + address : address);
      // On a busy machine, the history goes back later than that.
      await go().catch((error: Error) => {
        if (!error.message.includes('net::ERR_ABORTED')) throw error;
        return go();
      });
      await settled();
    },
    context,
    problems,
    expectRefusals: (statuses, address = /./) => expected.push({ statuses, address }),
    close: async () => {
      context.off('request', onRequest);
      context.off('page', onPage);
      // A test may have closed it.
      if (!browser.contexts().includes(context)) return;
      await (given === undefined ? context.close() : leave(context));
    },
  };
}

/** Closes the pages of a context, and forgets what they have stored. */
async function leave(context: BrowserContext): Promise<void> {
  await context.unrouteAll();
  for (const page of context.pages()) {
    await page.evaluate(() => localStorage.clear()).catch(() => {});
    await page.close();
  }
}

async function signIn({ request }: BrowserContext, origin: string, base: string, email: string) {
  const response = await request.post(`${base}/auth/sign-in/`, {
    data: { email, password: PASSWORD },
    headers: { origin },
  });
  if (!response.ok())
    throw new Error(`${email} cannot sign in: ${response.status()} ${await response.text()}`);
}

function watch(page: Page, problems: string[], isExpected: (status: number, address: string) => boolean) {
  page.on('pageerror', (error) => problems.push(`Page error: ${error.stack ?? error.message}`));
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
    // Pages abort their requests when someone leaves them.
    if (why !== 'net::ERR_ABORTED' && !isExpected(0, address)) problems.push(`${address}: ${why}`);
  });
  page.on('dialog', (dialog) => {
    // Tests leave changes unsaved. unsaved.test.ts covers the question.
    if (dialog.type() === 'beforeunload') return dialog.accept();
    problems.push(`Browser dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
}

/** The 'response' and 'requestfailed' events report these with more detail. */
const isNetwork = (message: ConsoleMessage) => message.text().startsWith('Failed to load resource:');

/** Returns whether no request is pending, nothing is shown as loading and the page has its heading. */
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
      throw new Error(`${page.url()} does not settle. Waiting for: ${urls.join(', ') || 'the page'}`);
    }
    await page.waitForTimeout(30);
  }
}
