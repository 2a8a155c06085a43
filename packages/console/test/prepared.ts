import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { until } from '../../server/test/until.ts';
import type { Prepared } from './seeded.ts';

let prepared: Promise<Prepared> | undefined;

/** Returns what prepare-browser.ts prepares, as soon as it is ready. */
export const company = (): Promise<Prepared> => {
  prepared ??= read(inject('company'));
  return prepared;
};

async function read(file: string): Promise<Prepared> {
  const look = () => readFile(file, 'utf8').catch(() => undefined);
  const text = await until('the seeded company', look, Boolean, { seconds: 110, everyMs: 100 });
  const outcome = JSON.parse(text ?? '') as Prepared | { error: string };
  if ('error' in outcome) throw new Error(`The browser tests could not be prepared: ${outcome.error}`);
  return outcome;
}
