import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Code that passes on a quiet machine and may fail on a busy one, with what to write instead, and how to find it. */
const CHANCES = {
  'reads a page once: use expect.poll(() => ...)':
    /expect\(await [^;]*\.(?:count|is(?:Visible|Hidden|Enabled|Disabled|Checked)|textContent|innerText|inputValue|getAttribute|all(?:TextContents|InnerTexts))\(/,
  'sleeps: wait for a condition with expect.poll, until() or a lock':
    /waitForTimeout\(|\bawait sleep\(|new Promise\(.*\bsetTimeout\((?!resolve\)|done\))/,
  'measures time: count what happened instead, or use a bench':
    /now\(\) - (?:start|before|begun)|[<>]=? (?:Date|performance)\.now\(\)|(?:Date|performance)\.now\(\) [<>]/,
};

/** The files that may, and why they cannot fail by it. */
const ALLOWED: Record<string, string> = {
  'connectors/rest/faults.test.ts': 'the server refuses what comes too early, and never what comes late',
  'packages/connector/src/http.test.ts': 'the server refuses what comes too early, and never what comes late',
  'packages/server/src/kit/net/outbound.test.ts': 'the sleep is longer than the deadline that has to end it',
  'packages/server/src/log/events/batch.test.ts': 'any pause in a write gives the same result',
  'packages/server/src/log/events/soak.test.ts': 'random pauses, for a given time',
  'packages/server/src/operate/cluster/commits.test.ts':
    'nothing may have happened by then, and cannot while a lock is held',
  'packages/server/src/operate/cluster/faults.test.ts': 'kills a node at any moment of a publication',
  'packages/server/src/work/spreadsheets/large.test.ts': 'prints figures and compares none',
  'packages/server/test/system/reach-soak.test.ts': 'random pauses, for a given time',
  'packages/server/test/system/replica.test.ts': 'random pauses beside reads',
};

const chanceIn = (line: string) => Object.entries(CHANCES).find(([, pattern]) => pattern.test(line))?.[0];

test.each([
  "expect(await page.getByText('A').count()).toBe(1);",
  'expect(await button.isVisible()).toBe(true);',
  'await page.waitForTimeout(100);',
  'await sleep(200);',
  'await new Promise((done) => setTimeout(done, 5));',
  'expect(performance.now() - start).toBeLessThan(100);',
])('finds %s', (line) => expect(chanceIn(line)).toBeDefined());

test.each([
  "await expect.poll(() => page.getByText('A').count()).toBe(1);",
  'const tomorrow = new Date(Date.now() + 86_400_000);',
])('allows %s', (line) => expect(chanceIn(line)).toBeUndefined());

const testFiles = () =>
  execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && file !== 'scripts/tests/chance.test.ts');

test('tags are on one line, where vitest.config.ts finds them', () => {
  const isSplit = (file: string) => /\btags:\s*\[[^\]\n]*\n/.test(readFileSync(file, 'utf8'));

  expect(testFiles().filter(isSplit)).toEqual([]);
});

test('no test depends on how fast the machine is', () => {
  const found = testFiles().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const chance = chanceIn(line);
        return chance === undefined
          ? []
          : [{ file, place: `${file}:${index + 1} ${chance}: ${line.trim()}` }];
      }),
  );

  expect(found.filter(({ file }) => !(file in ALLOWED)).map(({ place }) => place)).toEqual([]);
  expect([...new Set(found.map(({ file }) => file))].sort()).toEqual(Object.keys(ALLOWED).sort());
});
