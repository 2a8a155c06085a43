import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { requireUnbreached, useBreachedPasswords } from './breached-passwords.ts';
import { requireStrongPassword } from './password-policy.ts';

afterEach(() => useBreachedPasswords(undefined));

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const passwords = Array.from({ length: 1_000 }, (_, i) => `a password of a breach ${i}`);
const lines = passwords.map((password, i) => `${hashOf(password)}:${10 ** (i % 9)}`).sort();

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'breached-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test.each(['\n', '\r\n'])(
  'finds each password of a file whose lines end in %j, and no other',
  async (end) => {
    const file = join(await folder(), 'passwords.txt');
    await writeFile(file, lines.map((line) => line + end).join(''));
    await useBreachedPasswords(file);

    for (const password of passwords)
      await expect(requireUnbreached(password)).rejects.toThrow('a list of passwords from data breaches');
    for (const password of passwords) await requireUnbreached(`${password}!`);
  },
);

test('finds passwords in a folder of ranges', async () => {
  const path = join(await folder(), 'ranges');
  await mkdir(path);
  const [known, unknown] = ['correct horse battery staple', 'wrong horse battery staple'];
  await writeFile(join(path, '00000.txt'), '');
  for (const password of [known, unknown])
    await writeFile(join(path, `${hashOf(password).slice(0, 5)}.txt`), `${hashOf(known).slice(5)}:12\r\n`);
  await useBreachedPasswords(path);

  await expect(requireUnbreached(known)).rejects.toThrow('data breaches');
  await requireUnbreached(unknown);
});

test('a new password is compared with the list, also a strong one', async () => {
  const file = join(await folder(), 'passwords.txt');
  await writeFile(file, `${hashOf('correct horse battery staple')}:1\n`);
  const person = { email: 'ada@acme.example', username: 'ada', first_name: 'Ada', last_name: 'Lovelace' };
  const check = () =>
    requireStrongPassword('correct horse battery staple', person, { slug: 'acme', name: 'Acme' });

  await check();
  await useBreachedPasswords(file);
  await expect(check()).rejects.toMatchObject({ code: 'invalid' });
});

test('a list that disappears accepts no password', async () => {
  const file = join(await folder(), 'passwords.txt');
  await writeFile(file, `${lines[0]}\n`);
  await useBreachedPasswords(file);
  await rm(file);

  await expect(requireUnbreached('correct horse battery staple')).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test.each([['nothing'], ['a file of words', 'password\n123456\n'], ['an empty file', '']])(
  '%s stops the start',
  async (_, content?: string) => {
    const file = join(await folder(), 'passwords.txt');
    if (content !== undefined) await writeFile(file, content);
    await expect(useBreachedPasswords(file)).rejects.toThrow(/^GATEHOUSE_BREACHED_PASSWORDS must be/);
  },
);
