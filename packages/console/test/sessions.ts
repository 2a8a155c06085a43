import type { Browser, BrowserContext, Cookie } from 'playwright-core';
import { openContext } from './visit.ts';

interface Session {
  context: BrowserContext;
  /** To be called when its pages are closed. */
  giveBack(): Promise<void>;
}

/**
 * The signed-in browser contexts of a test file. One test after the other uses them, so that the browser compiles the console
 * once. A context whose session has ended, or whose cookies a test has changed, is used no more.
 */
export function openSessions(browser: Browser, place: { url: string; base: string }) {
  const idle = new Map<string, { context: BrowserContext; cookies: Cookie[] }[]>();

  async function next(email: string) {
    for (;;) {
      const left = idle.get(email)?.pop();
      if (left === undefined) break;
      if (await isSignedIn(left.context)) return left;
      await left.context.close();
    }
    const context = await openContext(browser, place, email);
    return { context, cookies: await context.cookies() };
  }

  const isSignedIn = async ({ request }: BrowserContext) => (await request.get(`${place.base}/api/me/`)).ok();

  return {
    async take(email: string): Promise<Session> {
      const session = await next(email);
      return {
        context: session.context,
        giveBack: async () => {
          const { context, cookies } = session;
          const isOpen = browser.contexts().includes(context);
          if (isOpen && valuesOf(await context.cookies()) === valuesOf(cookies)) {
            idle.set(email, [...(idle.get(email) ?? []), session]);
          } else {
            await context.close();
          }
        },
      };
    },
  };
}

const valuesOf = (cookies: Cookie[]) =>
  cookies
    .map(({ name, value }) => `${name}=${value}`)
    .sort()
    .join(';');
