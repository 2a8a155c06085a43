import { posix } from 'node:path';
import type { Group, Section } from './contents.ts';
import type { Part } from './markdown.ts';

/** A page, as the layout needs it. */
interface Page {
  path: string;
  title: string;
  parts: readonly Part[];
  content: string;
}

interface Site {
  version: string;
  sections: readonly Section[];
  titles: ReadonlyMap<string, string>;
}

/** Returns the HTML of a page around its content. */
export function layOut({ path, title, parts, content }: Page, site: Site): string {
  const up = posix.relative(posix.dirname(path), '.') || '.';
  const to = (target: string) => `${up}/${target}`;
  const order = site.sections.flatMap(({ groups }) => groups.flatMap(({ paths }) => paths));
  const at = order.indexOf(path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(path === 'index' ? title : `${title} · Gatehouse help`)}</title>
<script src="${to('scheme.js')}"></script>
<link rel="stylesheet" href="${to('help.css')}">
<link rel="icon" href="/favicon.svg">
<script type="module" src="${to('help.js')}"></script>
</head>
<body data-up="${up}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${to('')}">Gatehouse <span>help</span></a>
<search><input type="search" id="search" placeholder="Search (/)" aria-label="Search the help" role="combobox" aria-expanded="false" aria-controls="found" autocomplete="off"><ul id="found" class="found" role="listbox" aria-label="Results" hidden></ul></search>
<span class="version">${text(site.version)}</span>
<a class="console" href="/">Console</a>
</header>
<div class="page">
<nav class="contents" aria-label="Contents">
<details><summary>Contents</summary>
${site.sections.map(({ title: name, groups }) => `<h2>${text(name)}</h2>\n${groups.map((group) => groupOf(group)).join('')}`).join('\n')}
</details>
</nav>
<main id="content" tabindex="-1">
<article>
${content}
</article>
${at === -1 ? '' : neighbors()}
</main>
${tableOfContents(parts)}
</div>
</body>
</html>
`;

  function groupOf({ title: name, paths }: Group): string {
    const items = paths.map(
      (page) =>
        `<li><a href="${to(page)}"${page === path ? ' aria-current="page"' : ''}>${text(site.titles.get(page) ?? page)}</a></li>`,
    );
    return `${name === undefined ? '' : `<h3>${text(name)}</h3>`}<ul>${items.join('')}</ul>\n`;
  }

  function neighbors(): string {
    const link = (page: string | undefined, label: string) =>
      page === undefined
        ? '<span></span>'
        : `<a href="${to(page)}"><small>${label}</small>${text(site.titles.get(page) ?? page)}</a>`;
    return `<nav class="neighbors" aria-label="Pages before and after">${link(order[at - 1], 'Previous')}${link(order[at + 1], 'Next')}</nav>`;
  }
}

function tableOfContents(parts: readonly Part[]): string {
  const shown = parts.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<div></div>';
  const items = shown.map(
    ({ level, heading, anchor }) =>
      `<li class="level-${level}"><a href="#${anchor}">${text(heading).replaceAll('_', '_<wbr>')}</a></li>`,
  );
  return `<nav class="on-page" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

/** Escapes a text for HTML. */
const text = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
