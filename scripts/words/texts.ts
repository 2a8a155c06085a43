import { Code } from './code.ts';
import { joined, type Text } from './text.ts';

/** Returns the texts of a file: the paragraphs of a document, or the comments and strings of a program. Those of `sentences.ts` are errors. */
export function textsOf(path: string, source: string): Text[] {
  if (path.endsWith('.md')) return paragraphsOf(source);
  if (/sentences\.ts$/.test(path))
    return new Code(source)
      .texts(false)
      .map((text) => ({ ...text, kind: text.kind === 'string' ? 'error' : text.kind }));
  if (/\.tsx?$/.test(path)) return new Code(source).texts(path.endsWith('.tsx'));
  return lineCommentsOf(source, path.endsWith('.sql') ? /^\s*-- ?/ : /^\s*# ?/);
}

/** Returns paragraphs, list items, headings and cells of tables. Code blocks are left out. */
function paragraphsOf(source: string): Text[] {
  const found: Text[] = [];
  const prose = source.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2 *$/gm, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
  let open: Text | undefined;
  for (const [index, line] of prose.split('\n').entries()) {
    if (line.trim() === '' || /^\s*(?:[-*#>]|\d+\.|!\[|\|)/.test(line)) open = undefined;
    if (line.trim() === '') continue;
    if (line.startsWith('|')) {
      const cells = line.split(/(?<!\\)\|/);
      found.push(...cells.map((text) => ({ line: index + 1, text: joined(text), kind: 'prose' as const })));
    } else if (open === undefined) {
      open = { line: index + 1, text: joined(line.replace(/^\s*(?:[-*>]|#+|\d+\.) /, '')), kind: 'prose' };
      found.push(open);
    } else open.text = joined(`${open.text} ${line}`);
  }
  return found;
}

/** Returns the comments of a file whose comments take whole lines. Lines that follow each other are one text. */
function lineCommentsOf(source: string, start: RegExp): Text[] {
  const found: Text[] = [];
  let open: Text | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const text = line.replace(start, '');
    if (!start.test(line)) open = undefined;
    else if (open === undefined) {
      open = { line: index + 1, text: joined(text), kind: 'comment' };
      found.push(open);
    } else open.text = joined(`${open.text} ${text}`);
  }
  return found;
}
