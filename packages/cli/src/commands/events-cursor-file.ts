import { open, readFile, rename, rm } from 'node:fs/promises';

/** The position of a follower, and which of the two cursors of a page continues from it. */
export interface Position {
  cursor: string;
  follows: 'next_cursor' | 'previous_cursor';
}

/** Returns undefined if the file does not exist yet. */
export async function readPosition(path: string): Promise<Position | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const position = parse(text);
  if (position === undefined)
    throw new Error(`${path} is not a cursor file. Choose another path for --cursor-file.`);
  return position;
}

/** Throws unless the file can be written, so that no event is printed before a position that cannot be kept. */
export async function requireWritable(path: string): Promise<void> {
  const draft = `${path}.new`;
  try {
    await (await open(draft, 'a', 0o600)).close();
    await rm(draft);
  } catch (error) {
    throw new Error(
      `The cursor file ${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}). Create its folder, or choose another path for --cursor-file.`,
    );
  }
}

/** Replaces the file atomically and durably: after a crash it holds the old or the new position. */
export async function writePosition(path: string, position: Position): Promise<void> {
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(position)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

function parse(text: string): Position | undefined {
  try {
    const { cursor, follows } = JSON.parse(text) as Partial<Position>;
    if (typeof cursor !== 'string' || (follows !== 'next_cursor' && follows !== 'previous_cursor'))
      return undefined;
    return { cursor, follows };
  } catch {
    return undefined;
  }
}
