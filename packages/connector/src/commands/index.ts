import { check } from './check.ts';
import type { Command } from './context.ts';
import { describe } from './describe.ts';
import { list } from './list.ts';
import { preview } from './preview.ts';
import { push } from './push.ts';
import { sync } from './sync.ts';
import { tasks } from './tasks.ts';
import { test } from './test.ts';
import { watch } from './watch.ts';

/** The commands of every connector, by name. */
export const commands: Readonly<Record<string, Command>> = {
  check,
  test,
  preview,
  list,
  sync,
  push,
  watch,
  tasks,
  describe,
};
