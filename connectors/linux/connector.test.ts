import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asTable, listAll, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { available, fixture } from './conformance.ts';
import { connector } from './connector.ts';
import { readUsers } from './files.ts';
import { deleteUser } from './tasks.ts';

test.skipIf(!available)(
  'conforms (needs root and useradd)',
  { tags: ['long'], timeout: 180_000 },
  async () => {
    const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
    const stage = await fixture.start();
    try {
      const [account] = (await listAll({ connector, stage })).records.get('user') ?? [];
      expect(account).toMatchObject({ username: 'person0', attributes: { uid: 1000, shell: '/bin/sh' } });
      const findings = await runConformance({ connector, file, stage, writing: true });
      expect(
        findings.filter(({ outcome }) => outcome === 'failed'),
        asTable(findings),
      ).toEqual([]);
    } finally {
      await stage.stop();
    }
  },
);

test.skipIf(!available)('locks an account that it cannot delete', async () => {
  const stage = await fixture.start();
  try {
    const root = String(stage.settings.root);
    const through = join(root, 'through');
    const busy = 'userdel: user person1 is currently used by process 4711';
    await writeFile(
      through,
      `#!/bin/sh\n[ "$1" = userdel ] && { echo "${busy}" >&2; exit 8; }\nexec "$@"\n`,
      {
        mode: 0o755,
      },
    );
    const files = { root, minUid: 1000, through };
    await expect(deleteUser(files, 'person1')).rejects.toThrow(
      `${busy}. The account was locked and can no longer sign in`,
    );
    expect(await stage.witness?.suspended?.('person1')).toBe(true);
    expect(await readUsers(files)).toContainEqual(
      expect.objectContaining({ name: 'person1', suspended: true }),
    );
  } finally {
    await stage.stop();
  }
});

test('refuses files that are cut off or not UTF-8', async () => {
  const stage = await fixture.start();
  try {
    const root = String(stage.settings.root);
    const passwd = join(root, 'etc', 'passwd');
    const whole = await readFile(passwd, 'utf8');
    await writeFile(passwd, whole.slice(0, -5));
    await expect(readUsers({ root, minUid: 1000 })).rejects.toThrow(/passwd does not end with a line break/);
    await writeFile(passwd, whole);
    await appendFile(passwd, Buffer.from('joerg:x:1500:1500:J\xf6rg:/home/joerg:/bin/sh\n', 'latin1'));
    await expect(readUsers({ root, minUid: 1000 })).rejects.toThrow(
      /passwd, line 152: it is not valid utf-8/,
    );
  } finally {
    await stage.stop();
  }
});
