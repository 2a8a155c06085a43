import { expect, test } from 'vitest';
import { anchorsIn, createMarkdown, emptyParts } from './markdown.ts';

const PATHS = new Set(['guides/reviews', 'guides/people', 'reference/protocol']);

function render(text: string, path = 'guides/reviews') {
  const found = emptyParts();
  return { html: createMarkdown(PATHS).render(text, { path, found }), found };
}

test('links to documents lead to their pages, and links to other files are text', () => {
  const { html, found } = render(
    '[a](people.md) [b](../reference/protocol.md#lists) [c](#here) [d](https://example.com/) [e](../../scripts/run)',
  );
  expect(html).toContain('<a href="people">a</a>');
  expect(html).toContain('<a href="../reference/protocol#lists">b</a>');
  expect(html).toContain('<a href="#here">c</a>');
  expect(html).toContain('<a href="https://example.com/">d</a>');
  expect(html).toContain('<span title="A file of the repository">e</span>');
  expect(found.links).toEqual([
    { to: 'guides/people', fragment: '' },
    { to: 'reference/protocol', fragment: 'lists' },
    { to: 'guides/reviews', fragment: 'here' },
  ]);
});

test('headings get the anchors of GitHub, also if there are several with one name', () => {
  const { html, found } = render(
    '# Who may `decide`?\n\n## Limits\n\ntext\n\n## Limits\n\n<a id="old"></a>\n\n`<a id="sample"></a>`\n',
  );
  expect(html).toContain('<h1 id="who-may-decide">');
  expect(html).toContain('<h2 id="limits-1">');
  expect(found.title).toBe('Who may decide?');
  expect(found.parts.map(({ anchor }) => anchor)).toEqual(['who-may-decide', 'limits', 'limits-1']);
  expect(found.anchors).toEqual(['old']);
});

test('the anchors of a text leave out code, and no two are the same', () => {
  const text = '# A [link](b.md)\n\n## Limits 1\n\n## Limits\n\n## Limits\n\n```md\n## Not a heading\n```\n';
  expect([...anchorsIn(text)]).toEqual(['a-link', 'limits-1', 'limits', 'limits-2']);
});

test('the search finds texts and commands below their heading', () => {
  const { found } = render(
    '# A\n\nOne **two**\nthree.\n\n## B\n\n```sh\nnpm start\n```\n\n| x |\n| --- |\n| cell |\n',
  );
  expect(found.parts.map(({ text }) => text.trim())).toEqual(['One two three.', 'npm start\n x cell']);
});

test('the paragraph for whom a page is gets a style', () => {
  const { html, found } = render('# A\n\n**For:** operators. **You need:**\na shell.\n');
  expect(html).toContain('<p class="reader">');
  expect(found.reader).toBe('operators.');
  expect(render('# A\n\n**For:** operators.\n').found.reader).toBeUndefined();
});

test('numbers stand to the right without a style, which the content security policy refuses', () => {
  const { html } = render('| name | MB |\n| --- | ---: |\n| a | 3 |\n');
  expect(html).toContain('<td class="number">3</td>');
  expect(html).not.toContain('style');
});
