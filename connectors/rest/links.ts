const LINK = /<([^>]*)>((?:\s*;\s*[\w*!-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s,;"]+))?)*)/g;
const PARAMETER = /;\s*([\w*!-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]+)))?/g;

/** Returns the target of `rel="next"` in a Link header (RFC 8288), or undefined. Throws if the header has one that cannot be read. */
export function nextLink(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  const targets = new Set<string>();
  for (const [, target = '', parameters = ''] of text.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel');
    const relations = (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) targets.add(target.trim());
  }
  const [target] = targets;
  if (targets.size > 1) throw new Error('the Link header has several addresses for rel="next"');
  if (target === '') throw new Error('the Link header has no address for rel="next"');
  if (target === undefined && /\bnext\b/i.test(text.replaceAll(LINK, '')))
    throw new Error('the Link header is malformed, so the next page is unknown');
  return target;
}
