import { unheard } from '../api/reachable.ts';

type Load<T> = () => Promise<T>;

const loads: Load<unknown>[] = [];
const RELOADED = 'gatehouse-reloaded';
const PAUSE_MS = 1000;
const SOON_MS = 10_000;

/**
 * A page's own file. Where it does not come, the page is loaded anew as soon as the server answers: it has been
 * silent, or has been replaced by one whose files have other names.
 */
export function file<T>(load: Load<T>): Load<T> {
  loads.push(load);
  return () => load().catch(loadAnew);
}

/** Gets the files of all pages while there is nothing else to do: then a restart of the server is no bother. */
export function loadTheRest(): void {
  requestIdleCallback(async () => {
    for (const load of loads) await load().catch(() => undefined);
  });
}

async function loadAnew(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < SOON_MS) throw error;
  while (!(await answers())) {
    unheard();
    await new Promise((resume) => setTimeout(resume, PAUSE_MS));
  }
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return new Promise(() => {});
}

const answers = () =>
  fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  );
