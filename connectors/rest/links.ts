const LINK = /<([^>]*)>((?:\s*;\s*[\w*!-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s,;"]+))?)*)/g;
const PARAMETER = /;\s*([\w*!-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]+)))?/g;

/** Returns the target of `rel="next"` in a Link header (RFC 8288), or undefined. */
export function nextLink(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(', ') : (header ?? '');
  for (const [, target, parameters = ''] of text.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETER)].find(([, name]) => name?.toLowerCase() === 'rel');
    const relations = (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target;
  }
  return undefined;
}
