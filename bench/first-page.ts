import { buildConsole } from '../packages/console/test/build.ts';
import { launchChromium } from '../packages/console/test/chromium.ts';
import { PASSWORD, seed } from '../packages/console/test/seed.ts';
import { ADMIN } from '../packages/console/test/seed-company.ts';
import { startGatehouse } from '../packages/console/test/server.ts';
import { median, over } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `first-page`: what a browser without a cache loads until the first page shows its content, and when it shows it, on slow 4G with
 * a processor that is four times slower. Floor: a page of a few bytes of the same server, which is the least that the network costs.
 */
const ROUNDS = 3;
/** Slow 4G, as Lighthouse defines it. */
const NETWORK = {
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  offline: false,
};
const SLOWER = 4;
const GOALS = { requests: 14, kilobytes: 200, lcp: 2500, cls: 0.02 };
const PATIENCE_MS = 60_000;

type Browser = Awaited<ReturnType<typeof launchChromium>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

interface Case {
  name: string;
  path: string;
  signedIn?: boolean;
  language?: string;
}

const CASES: Case[] = [
  { name: 'overview', path: '/', signedIn: true },
  { name: 'overview, German', path: '/', signedIn: true, language: 'de' },
  { name: 'sign-in', path: '/' },
  { name: 'sign-in, German', path: '/', language: 'de' },
  { name: '  floor: a page of a few bytes', path: '/healthz' },
];

export async function run(_: Options, use: Use) {
  await buildConsole();
  const service = await startGatehouse();
  await use(Promise.resolve({ [Symbol.asyncDispose]: async () => void (await service.stop()) }));
  const base = `${service.url}/org/acme`;
  await seed(base, service.key);
  const browser = await launchChromium();
  await use(Promise.resolve({ [Symbol.asyncDispose]: () => browser.close() }));
  const rows: (string | number)[][] = [];
  for (const one of CASES) {
    const loads: Load[] = [];
    for (let round = 0; round < ROUNDS; round++) loads.push(await load(browser, service.url, one));
    const of = (figure: keyof Load) => median(loads.map((each) => each[figure]));
    const [requests, kilobytes, lcp, cls] = [of('requests'), of('kilobytes'), of('lcp'), of('cls')];
    const missed = [
      over(requests, GOALS.requests) && 'requests',
      over(kilobytes, GOALS.kilobytes) && 'KB',
      over(lcp, GOALS.lcp) && 'LCP',
      over(cls, GOALS.cls) && 'CLS',
    ].filter(Boolean);
    rows.push([
      one.name,
      `${requests}`,
      `${of('later')}`,
      kilobytes,
      of('fcp'),
      lcp,
      of('content'),
      cls.toFixed(3),
      `${of('refused')}`,
      missed.join(', '),
    ]);
  }
  printTable(
    `slow 4G, CPU ${SLOWER} times slower (goals: ${GOALS.requests} requests, ${GOALS.kilobytes} KB, LCP ${GOALS.lcp} ms, CLS ${GOALS.cls})`,
    ['', 'requests', 'later', 'KB', 'FCP ms', 'LCP ms', 'content ms', 'CLS', 'refused', 'over'],
    rows,
  );
}

interface Load {
  /** Responses that were complete when the content was shown. */
  requests: number;
  /** Responses in the two seconds after it. */
  later: number;
  /** The bytes that came over the network until the content was shown, with headers. */
  kilobytes: number;
  fcp: number;
  lcp: number;
  /** When the page had its heading, and nothing was shown as loading. */
  content: number;
  cls: number;
  /** Responses with status 400 or more. */
  refused: number;
}

async function load(
  browser: Browser,
  url: string,
  { path, signedIn = false, language = 'en' }: Case,
): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: language });
  try {
    if (signedIn)
      await context.request.post(`${url}/org/acme/auth/sign-in/`, {
        data: { email: ADMIN, password: PASSWORD },
        headers: { origin: url },
      });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript(watch);
    const seen = { requests: 0, bytes: 0, refused: 0 };
    devtools.on('Network.responseReceived', ({ response }) => {
      if (response.status >= 400) seen.refused++;
    });
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      seen.requests++;
      seen.bytes += encodedDataLength;
    });
    await page.goto(url + path, { waitUntil: 'commit' });
    const content = await untilContent(page, path === '/healthz');
    const then = { ...seen };
    await page.waitForTimeout(2000);
    const { fcp, lcp, cls } = await page.evaluate(() => (window as unknown as { figures: Figures }).figures);
    return {
      requests: then.requests,
      later: seen.requests - then.requests,
      kilobytes: then.bytes / 1000,
      fcp,
      lcp,
      content,
      cls,
      refused: seen.refused,
    };
  } finally {
    await context.close();
  }
}

/** Waits until the page shows its content, and returns when that was. */
async function untilContent(page: Page, isPlain: boolean): Promise<number> {
  const shown = await page.waitForFunction(
    (plain) => {
      const isShown =
        (plain ? document.body?.firstChild : document.querySelector('h1')) &&
        document.querySelector('[aria-busy="true"], .mantine-Skeleton-root, [data-loading]') === null;
      return isShown ? performance.now() : false;
    },
    isPlain,
    { timeout: PATIENCE_MS, polling: 'raf' },
  );
  return (await shown.jsonValue()) as number;
}

interface Figures {
  fcp: number;
  lcp: number;
  cls: number;
}

/** Collects the browser's own figures. Runs in the page. */
function watch() {
  const figures: Figures = { fcp: 0, lcp: 0, cls: 0 };
  Object.assign(window, { figures });
  const on = (
    type: string,
    note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
  ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') figures.fcp = startTime;
  });
  on('largest-contentful-paint', ({ startTime }) => {
    figures.lcp = startTime;
  });
  on('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) figures.cls += value;
  });
}
