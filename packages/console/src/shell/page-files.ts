import { isHealthy, markUnreachable } from '../api/reachable.ts';
import { loadPageTexts } from '../language/language.ts';

type Load<T> = () => Promise<T>;

const loads: Load<unknown>[] = [];
const RELOADED = 'gatehouse-reloaded';
const PAUSE_MS = 1000;
/** Reloading twice within this time would be a loop. */
const RELOAD_INTERVAL_MS = 10_000;

/**
 * Wraps the import of a page's file. If the file cannot be loaded, reloads the console as soon as the server responds:
 * either the server was unreachable, or a new version with other file names has replaced it.
 */
export function pageFile<T>(file: Load<T>): Load<T> {
  const load = () => loadPageTexts().then(file);
  loads.push(load);
  return () => load().catch(reloadConsole);
}

/** Loads the files of all pages while the browser is idle, so that pages open even while the server restarts. */
export function preloadPages(): void {
  requestIdleCallback(async () => {
    for (const load of loads) await load().catch(() => undefined);
  });
}

async function reloadConsole(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < RELOAD_INTERVAL_MS) throw error;
  while (!(await isHealthy())) {
    markUnreachable();
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}
