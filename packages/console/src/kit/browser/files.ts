import { t } from '@lingui/core/macro';
import { isHealthy, markUnreachable } from '../../api/reachable.ts';
import { MissingFiles } from './preload.ts';

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

const underWay = new Set<Promise<unknown>>();
/** Returns the files that are being loaded on demand. */
export const filesUnderWay = (): ReadonlySet<Promise<unknown>> => underWay;

/**
 * Wraps the import of a file that is loaded on demand. The file is loaded once, and again after a failure. Every import on demand
 * goes through here, so that an upgrade of the server does not break an open page (preload.ts).
 */
export function onDemand<T>(file: Load<T>): Load<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= noted(
      withMissing(file).catch((error: unknown) => {
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

/** Each attempt can find other files missing: those of the part, of its texts, and of its style sheets. */
const MOST_ATTEMPTS = 5;

/** Loads a file, again each time when the files that were missing are in the browser's cache. */
async function withMissing<T>(file: Load<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await file();
    } catch (error) {
      if (!(error instanceof MissingFiles) || attempt === MOST_ATTEMPTS) throw error;
      const brought = await Promise.all(error.files.map(bring));
      if (brought.includes(false)) throw error;
    }
  }
}

async function bring(address: string): Promise<boolean> {
  for (const pause of PAUSES_MS) {
    const response = await fetch(address).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return true;
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

const waited = (ms: number) => new Promise((resume) => setTimeout(resume, ms));
