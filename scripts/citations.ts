// Fails if a comment, a document or any other text of the repository cites something that does not resolve.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Library, libraryOf, unresolvedIn } from './citations/citations.ts';

const ROOT = new URL('../', import.meta.url);
const TEXT = /[.](ts|tsx|md|sql|mjs|css|sh|ya?ml)$|^(scripts\/run|[.]ci\/run|Dockerfile)$/;

/** The samples in the check's own test do not resolve on purpose. */
const EXEMPT = /^scripts\/citations\//;

const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '');
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const library: Library = libraryOf(files, read);
let found = 0;
for (const path of files.filter((name) => TEXT.test(name) && !EXEMPT.test(name))) {
  for (const { line, problem } of unresolvedIn(path, read(path), library)) {
    console.error(`${path}:${line} ${problem}`);
    found++;
  }
}
if (found > 0) {
  console.error(`${found} citations do not resolve.`);
  process.exitCode = 1;
}
