/** Writes docs/console/*.png: the pages of a company after a year. Arguments limit it to these names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { apiWithKey } from './api.ts';
import { buildConsole } from './build.ts';
import { launchChromium } from './chromium.ts';
import { movedBack } from './earlier.ts';
import { PICTURES, type Picture, STORY, storyAfterTask } from './pictures.ts';
import { type SeededHistory, seedHistory } from './seed-history.ts';
import { lossPages, seedLosses } from './seed-losses.ts';
import { changeData, startYear, type Year } from './seed-year.ts';
import { takeAll } from './take.ts';

await buildConsole();
const folder = await mkdtemp(join(tmpdir(), 'gatehouse-screenshots-'));
const dataDir = join(folder, 'data');
let year = await startYear({ dataDir });
const browser = await launchChromium();
const wanted = process.argv.slice(2);
const failed: string[] = [];
try {
  failed.push(...(await takeAll(browser, year, PICTURES, wanted)));
  failed.push(...(await takeAll(browser, year, STORY, wanted)));
  failed.push(...(await takeAll(browser, year, await storyAfterTask(year), wanted)));
  failed.push(...(await takeAll(browser, year, await lossPictures(year), wanted)));
  const { url, key } = year.service;
  const history = await seedHistory(apiWithKey(`${url}/org/acme`, key), async (days) => {
    year = { ...year, service: await changeData(year.service, dataDir, movedBack('acme', days)) };
  });
  failed.push(...(await takeAll(browser, year, pastPictures(history), wanted)));
} finally {
  await browser.close();
  await year.service.stop();
  await rm(folder, { recursive: true, force: true });
}
if (failed.length > 0) throw new Error(`These pictures failed: ${failed.join(', ')}`);

function ago(days: number) {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

/** After these, the app of seedHistory has a past. */
function pastPictures({ app, marta }: SeededHistory): Picture[] {
  return [
    { name: 'timeline', at: `/accounts/${marta}`, from: 'Timeline' },
    { name: 'compare', at: `/history/compare?app=${app}&from=${ago(60)}&to=${ago(0)}` },
  ];
}

/** Pictures of an app with losses, which the other pictures do not show. */
async function lossPictures({ service: { url, key }, seeded }: Year): Promise<Picture[]> {
  const api = apiWithKey(`${url}/org/acme`, key);
  const { sync } = lossPages(await seedLosses(api, 'Travel Desk'), seeded);
  const open = async (page: Page) => {
    await page.getByRole('link', { name: 'Restore access…' }).click();
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByRole('table', { name: 'Cannot come back' }).waitFor();
  };
  const ask = async (page: Page) => {
    await page.getByRole('button', { name: 'Revert…' }).click();
    await page.getByRole('button', { name: 'Revert sync' }).waitFor();
  };
  return [
    { name: 'restore', at: sync, open },
    { name: 'revert', at: sync, open: ask },
  ];
}
