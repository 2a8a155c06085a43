import { dirname, join, normalize } from 'node:path/posix';
import { anchorsIn } from '../../packages/help/src/markdown.ts';

/** Everything that a citation can point at. */
export interface Library {
  /** All files of the repository, and their folders. */
  paths: Set<string>;
  /** `D24`, `D24a`. */
  decisions: Set<string>;
  /** `4.9`. */
  sections: Set<string>;
  /** `7`. */
  adrs: Set<string>;
  /** The anchors of a Markdown file. */
  anchorsOf(path: string): Set<string>;
}

export interface Unresolved {
  line: number;
  problem: string;
}

const DECISIONS = 'docs/reference/decisions.md';
const PROTOCOL = 'docs/reference/protocol.md';

export function libraryOf(files: string[], read: (path: string) => string): Library {
  const known = new Set(files);
  const textOf = (path: string) => (known.has(path) ? read(path) : '');
  const anchors = new Map<string, Set<string>>();
  return {
    paths: new Set(files.flatMap((path) => [path, ...foldersOf(path)])),
    decisions: new Set(matches(textOf(DECISIONS), /^(?:#+ |[-*] |\| ?)?(?:\*\*)?(D\d+[a-z]?)\b/gm)),
    sections: new Set(matches(textOf(PROTOCOL), /^#+ (\d+(?:\.\d+)*)\b/gm)),
    adrs: new Set(files.flatMap((path) => matches(path, /^docs\/adr\/0*(\d+)-[^/]+\.md$/g))),
    anchorsOf(path) {
      const cached = anchors.get(path);
      if (cached !== undefined) return cached;
      const found = anchorsIn(textOf(path));
      anchors.set(path, found);
      return found;
    },
  };
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name);

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Blanks fenced code and keeps the lines. */
const withoutCodeBlocks = (text: string) =>
  text.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2 *$/gm, (block) => block.replaceAll(/[^\n]/g, ' '));

/** Blanks inline code and keeps the columns. */
const withoutCode = (text: string) => text.replaceAll(/`[^`\n]+`/g, (code) => ' '.repeat(code.length));

/** Words that no text of the repository uses: they name documents outside of it. */
const FORBIDDEN = /\bcontract \d|\bgovernance\.md\b|\bhouse\.md\b|\.\.\/shared\b|\bissue #?\d+/gi;

/** Returns each citation of a text that does not resolve, in the order of the text. */
export function unresolvedIn(path: string, text: string, library: Library): Unresolved[] {
  const found: { at: number; problem: string }[] = [];
  const check = (
    body: string,
    pattern: RegExp,
    problemOf: (match: RegExpExecArray) => string | undefined,
  ) => {
    for (const match of body.matchAll(pattern)) {
      const problem = problemOf(match);
      if (problem !== undefined) found.push({ at: match.index, problem });
    }
  };
  const cites = (kind: string, name: string, place: string, known: Set<string>) =>
    known.has(name) ? undefined : `cites ${kind}${name}, which is not in ${place}.`;

  check(text, FORBIDDEN, ([words]) => `cites "${words}", which a reader of the repository cannot open.`);
  check(text, DECISION, ([, name = '']) => cites('', name, DECISIONS, library.decisions));
  check(text, SECTIONS, ([, list = '']) =>
    list
      .split(/,? (?:to|and) |, /)
      .map((section) => cites('section ', section, PROTOCOL, library.sections))
      .find((problem) => problem !== undefined),
  );
  check(text, /\bADR (\d+)\b/g, ([, name = '']) =>
    cites('ADR ', String(Number(name)), 'docs/adr', library.adrs),
  );
  if (path.endsWith('.md')) {
    const prose = withoutCodeBlocks(text);
    check(withoutCode(prose), LINK, ([, target = '']) => brokenLink(path, target, library));
    check(prose, CODE, ([, code = '']) => brokenPath(path, code, library));
  }
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, problem }) => ({ line: text.slice(0, at).split('\n').length, problem }));
}

/** `D24a`, but no part of a longer word, a hexadecimal number, a color or a quoted value. */
const DECISION = /(?<![\w#&%$./'"+-])(D\d+[a-z]?)(?![\w'"])/g;
/** `protocol 4.9`, `protocol 4.1 to 4.3`, `protocol 2.5, 7.2`. */
const SECTIONS = /\bprotocol (\d+(?:\.\d+)*(?:(?:,? (?:to|and) |, )\d+(?:\.\d+)+)*)/gi;
const LINK = /\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g;
const CODE = /`([^`\n]+)`/g;

function brokenLink(path: string, target: string, library: Library): string | undefined {
  if (/^[a-z][a-z+.-]*:|^\/\//i.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const resolved =
    file === '' ? path : file.startsWith('/') ? file.slice(1) : join(dirname(path), decodeURI(file));
  const name = normalize(resolved).replace(/\/$/, '');
  if (name !== '.' && !library.paths.has(name)) return `links to ${target}, which does not exist.`;
  if (anchor !== undefined && name.endsWith('.md') && !library.anchorsOf(name).has(anchor))
    return `links to ${target}, which has no such heading.`;
  return undefined;
}

/** Top folders whose name, in backticks, begins a path of this repository. */
const TOP = /^(?:docs|packages|connectors|bench|demo|scripts|\.ci)\//;

function brokenPath(path: string, code: string, library: Library): string | undefined {
  // A command, a pattern or a placeholder names no single file.
  if (/[\s*<>{}$|?]|NNNN|\.\.\./.test(code) || !TOP.test(code)) return undefined;
  const name = code.replace(/[#:].*$/, '').replace(/\/$/, '');
  const exists = library.paths.has(name) || library.paths.has(join(dirname(path), name));
  return exists || isMade(name) ? undefined : `names \`${code}\`, which does not exist.`;
}

/** Output of builds and tests, which git does not track. */
const isMade = (name: string) => /(^|\/)(dist|node_modules|coverage)(\/|$)/.test(name);
