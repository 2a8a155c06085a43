import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Blocks } from './blocks.ts';

const MB = 1024 * 1024;

function blocksOf(bytes: Buffer) {
  const blocks = new Blocks();
  for (let at = 0; at < bytes.length; at += 65_000) blocks.add(bytes.subarray(at, at + 65_000));
  return blocks;
}

test.each([0, 1, 65_001, MB, 3 * MB + 7])('keeps a body of %i bytes as it arrived', async (length) => {
  const bytes = randomBytes(length);

  expect(blocksOf(bytes).length).toBe(length);
  expect(blocksOf(bytes).whole().equals(bytes)).toBe(true);
  expect((await blocksOf(bytes).joined()).equals(bytes)).toBe(true);
  expect(Buffer.concat(blocksOf(bytes).take()).equals(bytes)).toBe(true);
});

test('blocks are small, and can pass to another thread', () => {
  const blocks = blocksOf(randomBytes(3 * MB + 7)).take();

  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(1.1 * MB);
  for (const { buffer, length } of blocks) expect(buffer.byteLength).toBe(length);
  expect(structuredClone(blocks, { transfer: blocks.map(({ buffer }) => buffer) })).toHaveLength(3);
});
