import { expect, test } from 'vitest';
import { openLines } from './lines.ts';

function openTestLines() {
  let time = 0;
  const started: string[] = [];
  const lines = openLines({ alone: 3, together: 1 }, () => time);
  return {
    lines,
    started,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    enter: (organization: string, ...names: string[]) => {
      for (const name of names) lines.enter(organization, () => started.push(name));
    },
  };
}

test('an organization that is alone has more turns, and its requests start in their order', () => {
  const { lines, started, enter } = openTestLines();

  enter('a', 'a1', 'a2', 'a3', 'a4', 'a5');
  expect(started).toEqual(['a1', 'a2', 'a3']);

  lines.leave('a');
  expect(started).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a request starts immediately, however many of another organization wait', () => {
  const { started, enter } = openTestLines();
  enter('a', 'a1', 'a2', 'a3', 'a4', 'a5');

  enter('b', 'b1');

  expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
});

test('an organization has fewer turns while another one sends requests, and more afterwards', () => {
  const { lines, started, pass, enter } = openTestLines();
  enter('a', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6');
  enter('b', 'b1');

  lines.leave('a');
  lines.leave('a');
  expect(started).not.toContain('a4');
  lines.leave('a');
  expect(started.at(-1)).toBe('a4');

  lines.leave('b');
  pass(2000);
  lines.leave('a');
  expect(started.slice(-2)).toEqual(['a5', 'a6']);
});
