import { copyFile, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { apiPages } from './api-pages.ts';
import { CONTENTS, type Section } from './contents.ts';
import { layOut } from './layout.ts';
import { anchorsOf, createMarkdown, emptyParts, type PageParts } from './markdown.ts';

const HELP = join(import.meta.dirname, '..');
const ROOT = join(HELP, '../..');
const DOCS = join(ROOT, 'docs');
/** Files of packages, by their names in the help. */
const PACKAGES = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'minisearch.js': 'minisearch',
};

/** A page of the help: its path, without an extension, and its text in Markdown. */
export interface Source {
  path: string;
  text: string;
}

/** A page that was rendered. */
interface Rendered extends PageParts {
  path: string;
  content: string;
}

/** Builds the help into a folder. Throws with all links that lead nowhere, all documents that the contents do not name, and all pages that do
 * not say for whom they are. */
export async function buildSite(folder: string): Promise<void> {
  const made = await apiPages();
  const sections = [...CONTENTS, ...made.sections];
  const documents = await readDocuments();
  const sources = [...documents, records(documents), ...made.pages];
  const markdown = createMarkdown(new Set(sources.map(({ path }) => path)));
  const render = ({ path, text }: Source): Rendered => {
    const found = emptyParts();
    const content = markdown.render(text, { path, found });
    return { ...found, path, content };
  };
  const documented = sources.map(render);
  const problems = [
    ...unlisted(documented, sections),
    ...withoutReader(documented),
    ...deadLinks(documented),
  ];
  if (problems.length > 0) throw new Error(`The help has faults:\n${problems.join('\n')}`);
  const titles = new Map(documented.map(({ path, title }) => [path, title]));
  const pages = [...documented, render(firstPage(documented, made.sections))];
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  for (const page of pages)
    await write(folder, `${page.path}.html`, layOut(page, { version, sections, titles }));
  await write(folder, 'search.json', JSON.stringify(indexOf(pages)));
  for (const file of new Set(pages.flatMap(({ files }) => files)))
    await copy(join(DOCS, file), join(folder, file));
  for await (const file of glob('*', { cwd: join(HELP, 'assets') }))
    await copy(join(HELP, 'assets', file), join(folder, file));
  for (const [name, file] of Object.entries(PACKAGES))
    await copy(fileURLToPath(import.meta.resolve(file)), join(folder, name));
  const script = await readFile(join(HELP, 'assets/help.js'), 'utf8');
  await write(folder, 'help.js', script.replace("'minisearch'", "'./minisearch.js'"));
}

/** The documents of docs/. */
async function readDocuments(): Promise<Source[]> {
  const files = (await Array.fromAsync(glob('**/*.md', { cwd: DOCS }))).sort();
  return Promise.all(
    files.map(async (file) => ({
      path: file.replace(/\.md$/, ''),
      text: await readFile(join(DOCS, file), 'utf8'),
    })),
  );
}

const RECORD = /^adr\/(\d+)/;

/** The page that lists the records of decisions, which the contents do not. */
function records(documents: readonly Source[]): Source {
  const list = documents
    .filter(({ path }) => RECORD.test(path))
    .map(({ path, text }) => `- [${/^# (.*)$/m.exec(text)?.[1]}](${path.replace('adr/', '')}.md)`);
  const text = [
    '# Architecture decision records',
    '**For:** contributors. **You need:** nothing.',
    'Decisions of the architecture, with what was weighed.',
    list.join('\n'),
  ];
  return { path: 'adr/index', text: text.join('\n\n') };
}

/** The first page: all pages by what the reader does, with those for whom they are. The pages of the API are for all who write programs. */
function firstPage(pages: readonly Rendered[], api: readonly Section[]): Source {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const line = (path: string, hasReader: boolean) => {
    const { title = path, reader = '' } = byPath.get(path) ?? {};
    return `- [${title}](${path}.md)${hasReader ? `: for ${reader.replace(/[.]$/, '')}` : ''}`;
  };
  const section = ({ title, groups }: Section, hasReaders: boolean) => [
    `## ${title}`,
    ...groups.flatMap(({ title: name, paths }) => [
      ...(name === undefined ? [] : [`### ${name}`]),
      paths.map((path) => line(path, hasReaders)).join('\n'),
    ]),
  ];
  const parts = [
    '# Gatehouse help',
    'All pages, by what you want to do. The search finds their paragraphs: press **/**.',
    ...CONTENTS.flatMap((one) => section(one, true)),
    ...api.flatMap((one) => section(one, false)),
  ];
  return { path: 'index', text: parts.join('\n\n') };
}

const pathsOf = (sections: readonly Section[]) =>
  sections.flatMap(({ groups }) => groups.flatMap(({ paths }) => paths));

function unlisted(pages: readonly Rendered[], sections: readonly Section[]): string[] {
  const listed = pathsOf(sections);
  const there = new Set(pages.map(({ path }) => path));
  return [
    ...pages
      .filter(({ path }) => !listed.includes(path) && !RECORD.test(path))
      .map(({ path }) => `${path} is in no section of the contents.`),
    ...listed
      .filter((path) => !there.has(path))
      .map((path) => `The contents name ${path}, which is not there.`),
  ];
}

const withoutReader = (pages: readonly Rendered[]): string[] =>
  pages
    .filter(({ path, reader }) => reader === undefined && !RECORD.test(path))
    .map(({ path }) => `${path} does not begin with "**For:** … **You need:** …".`);

function deadLinks(pages: readonly Rendered[]): string[] {
  const anchors = new Map(pages.map((page) => [page.path, new Set(anchorsOf(page))]));
  return pages.flatMap(({ path, links }) =>
    links
      .filter(({ to, fragment }) => fragment !== '' && anchors.get(to)?.has(fragment) !== true)
      .map(({ to, fragment }) => `${path} links to ${to}#${fragment}, which is not there.`),
  );
}

/** The index of the search. Each part of a page is found for itself. */
function indexOf(pages: readonly Rendered[]): MiniSearch {
  const index = new MiniSearch({ fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading'] });
  for (const { path, title, parts } of pages)
    for (const { level, heading, anchor, text } of parts)
      index.add({ id: level === 1 ? path : `${path}#${anchor}`, title, heading, text });
  return index;
}

async function write(folder: string, file: string, text: string) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

async function copy(from: string, to: string) {
  await mkdir(dirname(to), { recursive: true });
  await copyFile(from, to);
}
