import { buffer, text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';

type Entry = 'Table as CSV' | 'Picture as SVG' | 'Picture as PNG';

async function exportedFile(page: Page, entry: Entry) {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: entry }).click();
  return (await download).createReadStream();
}

/** Exports the picture of a page as a text. */
export const exported = async (page: Page, entry: 'Table as CSV' | 'Picture as SVG') =>
  text(await exportedFile(page, entry));

/** Exports the picture of a page as PNG. Returns its size, and the share of pixels that are not background. */
export async function exportedPng(page: Page): Promise<{ width: number; height: number; drawn: number }> {
  const file = await buffer(await exportedFile(page, 'Picture as PNG'));
  return page.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const { width, height } = image;
      const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
      if (context === null) throw new Error('The browser has no canvas.');
      context.drawImage(image, 0, 0);
      const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
      const drawn = pixels.filter((pixel) => pixel !== pixels[0]).length / pixels.length;
      return { width, height, drawn };
    },
    `data:image/png;base64,${file.toString('base64')}`,
  );
}
