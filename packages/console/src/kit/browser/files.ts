import { t } from '@lingui/core/macro';
import { isHealthy, markUnreachable } from '../../api/reachable.ts';

type Load<T> = () => Promise<T>;

/** No server has the file: another release has replaced the one that drew the page. */
export class MissingFile extends Error {
  constructor(cause: unknown) {
    super(t`A new version of Gatehouse is available. Reload the page.`, { cause });
  }
}

/** Two releases answer in turn while servers are replaced, so another attempt may reach the one that has the file. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1600];
const UNREACHABLE_PAUSE_MS = 1000;

/** The files that the browser could not load, with the element that asked for them if there is one. */
const missing = new Map<string, HTMLLinkElement | undefined>();
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement) missing.set(target.href, target);
  },
  // Errors of elements do not bubble.
  true,
);

const underWay = new Set<Promise<unknown>>();
/** Returns the files that are being loaded on demand. */
export const filesUnderWay = (): ReadonlySet<Promise<unknown>> => underWay;

/**
 * Wraps the import of a file that is loaded on demand. The file is loaded once, and again after a failure. Every import on demand
 * goes through here, so that an upgrade of the server does not break an open page.
 */
export function onDemand<T>(file: Load<T>): Load<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= noted(
      file()
        .catch((error: unknown) => bringMissing(error).then(file))
        .catch((error: unknown) => {
          loaded = undefined;
          throw new MissingFile(error);
        }),
    );
    return loaded;
  };
}

function noted<T>(load: Promise<T>): Promise<T> {
  underWay.add(load);
  const end = () => void underWay.delete(load);
  load.then(end, end);
  return load;
}

/** Browsers name the file in the error of an import, but not a file that it imports: for these, there are links. */
const FILE = /https?:\/\/[^\s"']+\/assets\/[\w.-]+/;

/** Loads the missing files into the browser's cache, where the next import finds them. */
async function bringMissing(error: unknown): Promise<void> {
  const named = FILE.exec(String(error))?.[0];
  if (named !== undefined && !missing.has(named)) missing.set(named, undefined);
  const brought = [...missing].map(async ([address, link]) => {
    missing.delete(address);
    if ((await bring(address)) && link?.rel === 'stylesheet') await again(link);
  });
  await Promise.all(brought);
}

async function bring(address: string): Promise<boolean> {
  for (const pause of PAUSES_MS) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return response.arrayBuffer().then(() => true);
    if (response === undefined) await untilHealthy();
    await waited(pause);
  }
  return false;
}

async function untilHealthy(): Promise<void> {
  while (!(await isHealthy())) {
    markUnreachable();
    await waited(UNREACHABLE_PAUSE_MS);
  }
}

/** Loads a style sheet again: a link that failed stays without effect. */
function again(link: HTMLLinkElement): Promise<void> {
  const copy = link.cloneNode() as HTMLLinkElement;
  const loaded = new Promise<void>((resolve) => {
    copy.onload = copy.onerror = () => resolve();
  });
  link.replaceWith(copy);
  return loaded;
}

const waited = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
