import { t } from '@lingui/core/macro';
import { save } from '../text/csv.ts';

/** A picture of the page, with the texts that its file has. */
export interface Drawing {
  svg: SVGSVGElement;
  title: string;
  caption: string;
}

/** A file has no style sheet, so these are written to each element as attributes. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'font-size',
  'font-family',
  'opacity',
  'stroke-dasharray',
  'font-weight',
  'stop-color',
  'text-anchor',
];

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 16;
const MIN_WIDTH = 480;
const TITLE = { size: 16, weight: 600, line: 28 };
const CAPTION = { size: 13, weight: 400, line: 20 };

/** PNGs have twice the size in pixels, but no more pixels than browsers can draw. */
const SCALE = 2;
const MAX_SIDE_PX = 16_000;
const MAX_AREA_PX = 64_000_000;

/** Saves a drawing as SVG. */
export async function saveSvg(file: string, drawing: Drawing): Promise<void> {
  save(`${file}.svg`, sheetOf(drawing).text, 'image/svg+xml');
}

/** Saves a drawing as PNG. */
export async function savePng(file: string, drawing: Drawing): Promise<void> {
  const { text, width, height } = sheetOf(drawing);
  const scale = Math.min(
    SCALE,
    MAX_SIDE_PX / width,
    MAX_SIDE_PX / height,
    Math.sqrt(MAX_AREA_PX / (width * height)),
  );
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode().catch(fail);
  const canvas = document.createElement('canvas');
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  const context = canvas.getContext('2d') ?? fail();
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  save(`${file}.png`, png ?? fail(), 'image/png');
}

function fail(): never {
  throw new Error(t`This browser could not draw the picture. Export it as SVG.`);
}

/** A drawing between its title and its caption, in the colors of the page. */
function sheetOf({ svg, title, caption }: Drawing): { text: string; width: number; height: number } {
  const page = getComputedStyle(document.body);
  const family = page.fontFamily;
  const drawn = sizeOf(svg);
  const inner = Math.max(drawn.width, MIN_WIDTH);
  const [above, below] = [wrap(title, TITLE, family, inner), wrap(caption, CAPTION, family, inner)];
  const top = MARGIN + above.length * TITLE.line;
  const width = Math.ceil(inner + 2 * MARGIN);
  const height = Math.ceil(top + drawn.height + below.length * CAPTION.line + 2 * MARGIN);

  const sheet = element('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
  sheet.append(element('rect', { width, height, fill: page.backgroundColor }));
  const write = (lines: string[], y: number, { size, weight, line }: typeof TITLE) =>
    lines.forEach((words, index) => {
      const text = element('text', {
        x: MARGIN,
        y: y + index * line + size,
        'font-family': family,
        'font-size': size,
        'font-weight': weight,
        fill: page.color,
      });
      text.textContent = words;
      sheet.append(text);
    });
  write(above, MARGIN, TITLE);
  const copy = coloredCopy(svg);
  // Charts have a style that fills the page they are in.
  copy.removeAttribute('style');
  setAll(copy, { x: MARGIN, y: top, ...drawn });
  sheet.append(copy);
  write(below, top + drawn.height + MARGIN / 2, CAPTION);
  return { text: validXml(new XMLSerializer().serializeToString(sheet)), width, height };
}

/** Names can have control characters, which XML forbids, and end within an emoji where a drawing cuts them. */
const validXml = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');

/** The size on the page. A drawing that is made only for its export is hidden, and has its size in the `viewBox`. */
function sizeOf(svg: SVGSVGElement): { width: number; height: number } {
  const shown = svg.getBoundingClientRect();
  const { width, height } = shown.width > 0 ? shown : svg.viewBox.baseVal;
  return { width, height };
}

function coloredCopy(svg: SVGSVGElement): SVGElement {
  const copy = svg.cloneNode(true) as SVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  for (const [index, shown] of [svg, ...svg.querySelectorAll<SVGElement>('*')].entries()) {
    const style = getComputedStyle(shown);
    for (const name of STYLES) copies[index]?.setAttribute(name, style.getPropertyValue(name));
  }
  return copy;
}

/** Breaks a text into lines of at most this width. A longer word has a line to itself. */
function wrap(text: string, { size, weight }: typeof TITLE, family: string, width: number): string[] {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return [text];
  context.font = `${weight} ${size}px ${family}`;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && context.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const element = (name: string, attributes: Record<string, string | number>) =>
  setAll(document.createElementNS(SVG, name) as SVGElement, attributes);

function setAll(target: SVGElement, attributes: Record<string, string | number>): SVGElement {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, String(value));
  return target;
}
