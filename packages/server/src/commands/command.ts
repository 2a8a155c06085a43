import type { Config } from '#config.ts';
import { listOrganizations } from '#directory/access/organization-facts.ts';
import type { Db } from '#kit/database.ts';
import { StartError } from '#kit/errors.ts';
import type { Opened } from '#startup.ts';

/** A command that was not understood. Its message is the usage. */
export class UsageError extends Error {}

/** The streams and the environment of a command. A process has them. */
export type Terminal = Pick<NodeJS.Process, 'env'> & {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};

export interface Input extends Opened {
  config: Config;
  /** The origin at which people reach the server. */
  origin: string;
  terminal: Terminal;
  /** The words after the command. */
  words: string[];
  options: {
    name?: string;
    'admin-email'?: string;
    reason?: string;
    force?: boolean;
    shards?: string;
    'remove-second-factor'?: boolean;
  };
}

/** The commands about one subject. They return what is printed. */
export interface Area {
  /** Their lines of the usage. */
  usage: string;
  /** By their two words. The database is open. */
  commands?: Record<string, (input: Input) => Promise<string>>;
  /** Commands that open databases in their own way, by their word. */
  alone?: Record<string, (terminal: Terminal, words: string[]) => Promise<string>>;
}

export const word = (words: string[], i: number): string => {
  const found = words[i];
  if (found === undefined) throw new UsageError();
  return found;
};

export async function idOf(db: Db, slug: string): Promise<string> {
  const organization = (await listOrganizations(db)).find((one) => one.slug === slug);
  if (organization === undefined)
    throw new StartError(
      `The organization ${slug} does not exist. "organizations list" shows those that do.`,
    );
  return organization.id;
}

/** Aligns all columns but the last. */
export function columns(rows: string[][]): string {
  const widths = (rows[0] ?? [])
    .slice(0, -1)
    .map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
