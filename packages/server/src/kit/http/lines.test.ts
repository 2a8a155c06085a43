import { expect, test } from 'vitest';
import { type LineLimits, openLines } from './lines.ts';

const organization = (name: string) => ({ name, isStranger: false });
const stranger = (name: string) => ({ name, isStranger: true });

function openTestLines(limits: LineLimits = { alone: 3, together: 1 }) {
  let time = 0;
  const started: string[] = [];
  const lines = openLines(limits, () => time);
  return {
    lines,
    started,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    enter: (of: string, ...names: string[]) => {
      for (const name of names) lines.enter(organization(of), () => started.push(name));
    },
  };
}

test('an organization that is alone has more turns, and its requests start in their order', () => {
  const { lines, started, enter } = openTestLines();

  enter('a', 'a1', 'a2', 'a3', 'a4', 'a5');
  expect(started).toEqual(['a1', 'a2', 'a3']);

  lines.leave(organization('a'));
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

  lines.leave(organization('a'));
  lines.leave(organization('a'));
  expect(started).not.toContain('a4');
  lines.leave(organization('a'));
  expect(started.at(-1)).toBe('a4');

  lines.leave(organization('b'));
  pass(2000);
  lines.leave(organization('a'));
  expect(started.slice(-2)).toEqual(['a5', 'a6']);
});

test('a long line has one turn at a time beside another organization, and rests after it', async () => {
  const { lines, started, pass, enter } = openTestLines({ alone: 3, together: 2 });
  enter('b', 'b1');
  enter('a', 'a1', 'a2', 'a3', 'a4');
  expect(started).toEqual(['b1', 'a1', 'a2']);

  pass(500);
  lines.leave(organization('a'));
  expect(started).not.toContain('a3');
  lines.leave(organization('a'));
  expect(started).not.toContain('a3');

  pass(250);
  await expect.poll(() => started.at(-1)).toBe('a3');
});

test('an organization makes no room for strangers, who have a line for each address', () => {
  const { lines, started, enter } = openTestLines();
  enter('a', 'a1');
  for (const name of ['s1', 's2', 's3']) lines.enter(stranger('address 192.0.2.1'), () => started.push(name));
  lines.enter(stranger('address 192.0.2.2'), () => started.push('t1'));

  enter('a', 'a2', 'a3', 'a4');

  expect(started).toEqual(['a1', 's1', 't1', 'a2', 'a3']);
});

test('a waiting request can be taken out of the line, and a started one cannot', () => {
  const { lines, started } = openTestLines();
  const [first, second] = [1, 2].map((n) =>
    lines.enter(stranger('address 192.0.2.1'), () => started.push(`s${n}`)),
  );

  expect([first?.(), second?.()]).toEqual([false, true]);
  lines.leave(stranger('address 192.0.2.1'));
  expect(started).toEqual(['s1']);
});
