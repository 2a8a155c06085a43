import { readFileSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Pictures, readSource, routeOf, sourcesOf } from '../../../scripts/release/pictures.ts';
import { apiWithKey } from './api.ts';
import type { Picture } from './pictures.ts';
import { STAFF } from './seed-company.ts';
import type { Year } from './seed-year.ts';
import { openVisit } from './visit.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/console');
const MOST_BYTES = 200_000;

/** Takes these pictures, all or the wanted ones, and returns the names of those that failed. */
export async function takeAll(
  browser: Browser,
  year: Year,
  pictures: Picture[],
  wanted: string[],
): Promise<string[]> {
  const failed: string[] = [];
  for (const picture of pictures) {
    if (wanted.length > 0 && !wanted.includes(picture.name)) continue;
    await take(browser, year, picture).catch((error: Error) => {
      failed.push(picture.name);
      process.stdout.write(`${picture.name}: ${error.message}\n`);
    });
  }
  return failed;
}

async function take(
  browser: Browser,
  year: Year,
  { name, at, who = 'owner', german = false, from, open, ...options }: Picture,
) {
  const { url, key } = year.service;
  const base = `${url}/org/acme`;
  const address = typeof at === 'string' ? at : await at(year, apiWithKey(base, key));
  const size = { width: 1200, height: 750, ...options };
  const visit = await openVisit(browser, { url, base }, { as: STAFF[who], ...size });
  if (german) await visit.context.addInitScript(() => localStorage.setItem('gatehouse-language', 'de'));
  try {
    await visit.goto(address);
    await open?.(visit.page);
    if (from !== undefined)
      await visit.page
        .getByRole('region', { name: from })
        .evaluate((region) => region.scrollIntoView({ block: 'end' }));
    await visit.settled();
    const path = join(FOLDER, `${name}.png`);
    await visit.page.screenshot({ path });
    const bytes = (await stat(path)).size;
    process.stdout.write(`${String(Math.round(bytes / 1000)).padStart(5)} KB  docs/console/${name}.png\n`);
    if (bytes > MOST_BYTES) throw new Error(`${path} is too large for the repository.`);
    noteSources(name, address);
  } finally {
    await visit.close();
  }
}

/** Notes of which sources of the page the picture is (`npm run release:check -- --only pictures`). */
function noteSources(name: string, address: string) {
  const file = join(FOLDER, 'pictures.json');
  const pictures = JSON.parse(readFileSync(file, 'utf8')) as Pictures;
  const page = routeOf(address, readSource);
  const noted = { ...pictures, [name]: { page, sources: sourcesOf(page, readSource) ?? '' } };
  const sorted = Object.fromEntries(Object.entries(noted).sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}
