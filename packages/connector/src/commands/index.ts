import { check } from './check.ts';
import type { Command } from './context.ts';
import { describe } from './describe.ts';
import { list } from './list.ts';
import { sync } from './sync.ts';

/** What every connector can do from a command line, by name. */
export const commands: Readonly<Record<string, Command>> = { check, list, sync, describe };
