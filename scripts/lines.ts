// Counts the lines of the source in git, by folder: TypeScript and CSS, without tests and without generated files. Takes a commit;
// by default the working tree. `--longest` adds the longest files.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { longest: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [commit] = positionals;

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });

const SOURCE = /\.(ts|tsx|css)$/;
const TEST = /\.test\.tsx?$|(^|\/)tests?\//;
const GENERATED = new Set([
  'packages/console/src/apps/app-marks.ts',
  'packages/console/src/kit/icons/icons.ts',
]);

/** The lines of each source file. An empty text matches every line. */
function linesOf(): [string, number][] {
  const counted = git('grep', '--count', '--text', '-e', '', ...(commit === undefined ? [] : [commit]));
  return counted
    .split('\n')
    .filter(Boolean)
    .map((row): [string, number] => {
      const file = row.slice(commit === undefined ? 0 : commit.length + 1, row.lastIndexOf(':'));
      return [file, Number(row.slice(row.lastIndexOf(':') + 1))];
    })
    .filter(([file]) => SOURCE.test(file) && !TEST.test(file) && !GENERATED.has(file));
}

/** The folder under which a file counts: a package, and a room of the server or a part of the console. */
function folderOf(file: string): string {
  const depth = /^packages\/(server|console)\/src\//.test(file) ? 4 : file.startsWith('packages/') ? 2 : 1;
  return file.split('/').slice(0, -1).slice(0, depth).join('/') || '.';
}

const files = linesOf();
const folders = new Map<string, { files: number; lines: number }>();
for (const [file, lines] of files) {
  const folder = folders.get(folderOf(file)) ?? { files: 0, lines: 0 };
  folders.set(folderOf(file), { files: folder.files + 1, lines: folder.lines + lines });
}
const rows = [...folders]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([folder, counts]) => ({ folder, ...counts }));
const total = files.reduce((sum, [, lines]) => sum + lines, 0);
console.table([...rows, { folder: 'all', files: files.length, lines: total }]);
if (values.longest)
  console.table(
    files
      .sort(([, a], [, b]) => b - a)
      .slice(0, 20)
      .map(([file, lines]) => ({ file, lines })),
  );
