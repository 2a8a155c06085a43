import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { PASSWORD } from './seed.ts';

const START_MS = 60_000;
const PATIENCE_MS = 30_000;
const AXE = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core');

/** The oldest version that Puppeteer can drive: version 140 has no orientation of the screen, and it blocks scripts of a test. */
export const OLDEST_FIREFOX = 150;

/** Returns the path of a Firefox that is new enough: FIREFOX_PATH, or Debian's. */
export async function findFirefox(): Promise<string | undefined> {
  const path = process.env.FIREFOX_PATH || '/usr/bin/firefox-esr';
  const version = await promisify(execFile)(path, ['--version']).then(
    ({ stdout }) => Number(/ (\d+)\./.exec(stdout)?.[1]),
    () => 0,
  );
  return version >= OLDEST_FIREFOX ? path : undefined;
}

/** Launches Firefox, which Puppeteer drives with WebDriver BiDi. Playwright only drives a Firefox that it has changed. */
export const launchFirefox = (path: string): Promise<Browser> =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath: path,
    headless: true,
    timeout: START_MS,
    extraPrefsFirefox: {
      'intl.accept_languages': 'en-US',
      'ui.prefersReducedMotion': 1,
      // Only our own pages are reachable.
      'network.proxy.type': 1,
      'network.proxy.http': '127.0.0.1',
      'network.proxy.http_port': 9,
      'network.proxy.ssl': '127.0.0.1',
      'network.proxy.ssl_port': 9,
      'network.proxy.allow_hijacking_localhost': false,
    },
  });

/** A window of Firefox. */
export interface FirefoxVisit {
  page: Page;
  /** Errors of the page and of its console since the last call. */
  problems(): string[];
  /** Opens an address, and waits until the page has its content. */
  goto(path: string): Promise<void>;
  settled(): Promise<void>;
  /** Presses the first button, link or other element with this role and name. */
  press(role: string, name: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  /** Waits until the page contains a text. */
  sees(text: string): Promise<void>;
  /** Returns the serious findings of axe. */
  axe(): Promise<string[]>;
}

/** Opens a window with its own session, in which somebody signs in with the form. */
export async function openFirefox(browser: Browser, home: string, email: string): Promise<FirefoxVisit> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewport({ width: 1440, height: 900 });
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`Page error: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(`Console: ${message.text()}`);
  });
  const settled = async () => {
    await page.waitForFunction(
      () =>
        document.querySelector('h1') !== null &&
        document.querySelector('[aria-busy="true"], .mantine-Skeleton-root, [data-loading]') === null,
      { polling: 50 },
    );
  };
  const visit: FirefoxVisit = {
    page,
    problems: () => found.splice(0),
    settled,
    goto: async (path) => {
      // In a window behind another one, nothing has the focus, and timers are slow.
      await page.bringToFront();
      await page.goto(home + path, { waitUntil: 'load' });
      await settled();
    },
    press: (role, name) => page.locator(`::-p-xpath(${xpathOf(role, name)})`).click(),
    fill: (label, text) =>
      page
        .locator(`::-p-xpath(//*[@id=//label[starts-with(normalize-space(), "${label}")]/@for])`)
        .fill(text),
    sees: async (text) => {
      await page.waitForFunction((words) => document.body?.innerText.includes(words), { polling: 50 }, text);
    },
    axe: async () => {
      if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(AXE, 'utf8'));
      return page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: axe has no types here.
        const { violations } = await (window as any).axe.run({ resultTypes: ['violations'] });
        return violations
          .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
          .map(
            ({ id, nodes }: { id: string; nodes: { target: string[] }[] }) =>
              `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
          );
      });
    },
  };
  await visit.goto('/sign-in');
  await visit.fill('Email', email);
  await visit.fill('Password', PASSWORD);
  await visit.press('button', 'Sign in');
  await visit.sees('Work');
  await settled();
  return visit;
}

function xpathOf(role: string, name: string): string {
  const named = `(normalize-space()="${name}" or @aria-label="${name}")`;
  if (role === 'link') return `//a[${named}]`;
  if (role === 'button') return `//button[${named}]`;
  return `//*[@role="${role}" and ${named}]`;
}
