import { withVersion } from './version.ts';

/** A response that public/start.js has asked for. */
type Early = Promise<{ data: unknown; response: Response } | null> | undefined;

declare global {
  interface Window {
    gatehouseEarly?: { offer?: Early; me?: Early; work?: Early; overview?: Early };
  }
}

/**
 * Returns the sign-in options, the signed-in person, their work or the overview, which public/start.js has asked for, once: later, the response may be out
 * of date. Null if nobody is signed in, until the sign-in page has its options. Undefined without a response.
 */
export async function takeEarly<T>(
  name: 'offer' | 'me' | 'work' | 'overview',
): Promise<T | null | undefined> {
  const asked = window.gatehouseEarly?.[name];
  const early = await asked?.catch(() => undefined);
  if (name === 'offer') delete window.gatehouseEarly;
  else if (early !== null) delete window.gatehouseEarly?.[name];
  return early ? withVersion(early.data as T, early.response) : early;
}
