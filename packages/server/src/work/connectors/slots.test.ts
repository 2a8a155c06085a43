import { expect, test } from 'vitest';
import { hasSlot } from './slots.ts';

const [a, b] = ['a', 'b'];
const sync = (org_id: string) => ({ org_id, kind: 'sync' as const });
const tasks = (org_id: string) => ({ org_id, kind: 'tasks' as const });
const preview = (org_id: string) => ({ org_id, kind: 'preview' as const });

test('an organization never holds all slots of a kind, however many runs it has', () => {
  expect(hasSlot(sync(a), [sync(a)], 2)).toBe(false);
  expect(hasSlot(sync(b), [sync(a)], 2)).toBe(true);
  expect(hasSlot(tasks(a), [tasks(a)], 2)).toBe(false);
  expect(hasSlot(preview(a), [preview(a)], 2)).toBe(false);
  expect(hasSlot(preview(b), [preview(a)], 2)).toBe(true);
  expect(hasSlot(sync(a), [sync(a), sync(a)], 4)).toBe(true);
  expect(hasSlot(sync(a), [sync(a), sync(a), sync(a)], 4)).toBe(false);
});

test('tasks do not wait for syncs, and tests wait for neither', () => {
  const syncs = [sync(a), sync(b)];
  expect(hasSlot(tasks(b), syncs, 2)).toBe(true);
  expect(hasSlot(preview(a), [...syncs, tasks(a), tasks(b)], 2)).toBe(true);
  expect(hasSlot(sync('c'), syncs, 2)).toBe(false);
});

test('a node with one slot runs one sync and one batch of tasks at a time', () => {
  expect(hasSlot(sync(a), [], 1)).toBe(true);
  expect(hasSlot(sync(b), [sync(a)], 1)).toBe(false);
  expect(hasSlot(tasks(b), [sync(a)], 1)).toBe(true);
});
