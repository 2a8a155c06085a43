import { posix } from 'node:path';
import createParser, { type MarkdownIt, type Token } from 'markdown-it';

/** A part of a page below one heading. */
export interface Part {
  level: number;
  heading: string;
  anchor: string;
  text: string;
}

/** The content of a page, as the search and the check of links need it. */
export interface PageParts {
  title: string;
  parts: Part[];
  /** Links to pages, to check them. */
  links: { to: string; fragment: string }[];
  /** Anchors beside those of headings. */
  anchors: string[];
  /** Pictures, by their paths in docs/. */
  files: string[];
  /** For whom the page is. Missing if it does not say so, or not what they need. */
  reader: string | undefined;
}

/** The surroundings in which a page is rendered. */
interface PageEnv {
  path: string;
  found: PageParts;
}

export const emptyParts = (): PageParts => ({
  title: '',
  parts: [],
  links: [],
  anchors: [],
  files: [],
  reader: undefined,
});

/** The paragraph with which a page begins. */
const READER = /^\*\*For:\*\* (.+)\s\*\*You need:\*\*\s/s;

const OUTSIDE = /^([a-z]+:|\/)/;

/**
 * Returns the renderer of pages: headings get anchors, links lead to pages, and tables can be scrolled. `paths` are those of all pages.
 * `render(text, { path, found })` also writes into `found`.
 */
export function createMarkdown(paths: ReadonlySet<string>): MarkdownIt {
  const markdown = createParser({ html: true });
  markdown.core.ruler.push('help', (state) => {
    const env = state.env as unknown as PageEnv;
    for (const [at, token] of state.tokens.entries()) {
      addPart(env, state.tokens, at);
      const [, reader] = READER.exec(token.content) ?? [];
      if (reader !== undefined) {
        state.tokens[at - 1]?.attrSet('class', 'reader');
        env.found.reader = reader.replaceAll('\n', ' ');
      }
      // The content security policy refuses styles in attributes.
      if (token.attrGet('style') === 'text-align:right') token.attrs = [['class', 'number']];
      if (token.type === 'inline') linkPages(token.children ?? [], env, paths);
    }
  });
  markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  markdown.renderer.rules.table_close = () => '</table></div>\n';
  return markdown;
}

/** Returns the anchors of a Markdown text: those that GitHub gives to its headings, and those written as HTML. */
export function anchorsIn(text: string): Set<string> {
  const found = emptyParts();
  createMarkdown(new Set()).parse(text, { path: '', found });
  return new Set(anchorsOf(found));
}

export const anchorsOf = ({ anchors, parts }: PageParts): string[] => [
  ...anchors,
  ...parts.map(({ anchor }) => anchor),
];

/** The anchor of a heading, as GitHub makes it: the second heading of a name gets a number. */
function anchorOf(heading: string, earlier: ReadonlySet<string>): string {
  const slug = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  let anchor = slug;
  for (let number = 1; earlier.has(anchor); number++) anchor = `${slug}-${number}`;
  return anchor;
}

/** Adds a token to the part of the page to which it belongs. The first heading is the title. */
function addPart({ found }: PageEnv, tokens: Token[], at: number) {
  const token = tokens[at] as Token;
  if (token.type === 'heading_open') {
    const heading = plain(tokens[at + 1]);
    if (found.title === '') found.title = heading;
    const anchor = anchorOf(heading, new Set(found.parts.map(({ anchor }) => anchor)));
    token.attrSet('id', anchor);
    found.parts.push({ level: Number(token.tag.slice(1)), heading, anchor, text: '' });
    return;
  }
  for (const { type, content } of [token, ...(token.children ?? [])])
    if (type === 'html_block' || type === 'html_inline')
      for (const [, id = ''] of content.matchAll(/<a (?:id|name)="([^"]+)"/g)) found.anchors.push(id);
  const part = found.parts.at(-1);
  const isHeading = tokens[at - 1]?.type === 'heading_open';
  if (part === undefined || isHeading || (token.type !== 'inline' && token.type !== 'fence')) return;
  part.text += `${token.type === 'fence' ? token.content : plain(token)} `;
}

/** The text of a token without marks. */
const plain = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'html_inline' ? '' : content))
    .join('');

/** Makes links to documents links to their pages. Other files of the repository are not there for readers: their links become plain text. */
function linkPages(tokens: Token[], env: PageEnv, paths: ReadonlySet<string>) {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === 'image') env.found.files.push(targetOf(env, String(token.attrGet('src'))));
    if (token.type === 'link_open') {
      const href = linkOf(String(token.attrGet('href')), env, paths);
      isPlain = href === undefined;
      if (href === undefined) token.attrs = [['title', 'A file of the repository']];
      else token.attrSet('href', href);
    }
    if (isPlain && /^link_/.test(token.type)) token.tag = 'span';
    if (token.type === 'link_close') isPlain = false;
  }
}

/** The path in docs/ to which a page links. */
const targetOf = ({ path }: PageEnv, href: string) => posix.join(posix.dirname(path), href);

function linkOf(href: string, env: PageEnv, paths: ReadonlySet<string>): string | undefined {
  if (OUTSIDE.test(href)) return href;
  const [file = '', fragment = ''] = href.split('#');
  const to = file === '' ? env.path : targetOf(env, file.replace(/\.md$/, ''));
  if (!paths.has(to)) return undefined;
  env.found.links.push({ to, fragment });
  return href.replace(/\.md(#|$)/, '$1');
}
