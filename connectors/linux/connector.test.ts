import { execFile } from 'node:child_process';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asTable, listAll, runConformance } from '@gatehouse/connector/conformance';
import { describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { readUsers } from './files.ts';
import { addUser, changeGroups, deleteUser, suspendUser, unsuspendUser } from './tasks.ts';
import { available, fixture } from './test/conformance.ts';

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

describe('who may still sign in', () => {
  const shadowOf = (root: string) => join(root, 'etc', 'shadow');
  const today = () => Math.floor(Date.now() / (24 * 60 * 60 * 1000));

  test('is in a file that only root may read, so the listing ends without it', async () => {
    const stage = await fixture.start();
    try {
      const root = String(stage.settings.root);
      await rm(shadowOf(root));
      await expect(readUsers({ root, minUid: 1000 })).rejects.toThrow(
        /shadow cannot be read \(ENOENT\), so it is unknown which accounts have expired/,
      );
    } finally {
      await stage.stop();
    }
  });

  test.skipIf(!available)('is unknown to another user', async () => {
    const stage = await fixture.start();
    try {
      const file = fileURLToPath(new URL('./connector.ts', import.meta.url));
      const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
      const list = [process.execPath, file, 'list', '--set', `root=${stage.settings.root}`];
      const ended = promisify(execFile)('setpriv', [...nobody, ...list]);
      await expect(ended).rejects.toMatchObject({
        stderr: expect.stringContaining('shadow cannot be read (EACCES)'),
        stdout: expect.not.stringContaining('"type":"user"'),
      });
    } finally {
      await stage.stop();
    }
  });

  test('is everybody on a machine that keeps no passwords in shadow', async () => {
    const stage = await fixture.start();
    try {
      const root = String(stage.settings.root);
      const passwd = join(root, 'etc', 'passwd');
      await writeFile(passwd, (await readFile(passwd, 'utf8')).replaceAll(':x:', ':*:'));
      await rm(shadowOf(root));
      const users = await readUsers({ root, minUid: 1000 });
      expect(users).toHaveLength(150);
      expect(users.some(({ suspended }) => suspended)).toBe(false);
    } finally {
      await stage.stop();
    }
  });

  test.each([
    ['no expiry', ':!:19000:0:99999:7:::', false],
    ['an expiry that is past', ':!:19000:0:99999:7::19500:', true],
    ['an expiry today', () => `:!:19000:0:99999:7::${today()}:`, true],
    ['an expiry to come', () => `:!:19000:0:99999:7::${today() + 2}:`, false],
    ['an expiry of -1, which is none', ':!:19000:0:99999:7::-1:', false],
    ['a password that must be changed', ':$y$:0:0:99999:7:::', false],
    ['a password that has expired, which its owner can change', ':$y$:19000:0:90:7:::', false],
    ['a password that expired too long ago to change it', ':$y$:19000:0:90:7:30::', true],
    ['a password that can still be changed', () => `:$y$:${today() - 100}:0:90:7:30::`, false],
  ])('counts %s', async (_, line, suspended) => {
    const stage = await fixture.start();
    try {
      const root = String(stage.settings.root);
      const text = typeof line === 'string' ? line : line();
      const shadow = await readFile(shadowOf(root), 'utf8');
      await writeFile(
        shadowOf(root),
        shadow.replace(/^person7:.*$/m, `person7${text.replaceAll('$', '$$$$')}`),
      );
      const users = await readUsers({ root, minUid: 1000 });
      expect(users.find(({ name }) => name === 'person7')).toMatchObject({ suspended });
    } finally {
      await stage.stop();
    }
  });

  test('is unknown for a line that is not a user', async () => {
    const stage = await fixture.start();
    try {
      const root = String(stage.settings.root);
      await appendFile(join(root, 'etc', 'passwd'), 'joerg:x:15oo:1500::/home/joerg:/bin/sh\n');
      await expect(readUsers({ root, minUid: 1000 })).rejects.toThrow(
        /passwd, user joerg: "15oo" is not a user id/,
      );
    } finally {
      await stage.stop();
    }
  });
});

describe.skipIf(!available)('a task changes what it says', () => {
  const run = async (
    edit: { passwd?: string; shadow?: string; group?: string },
    work: (files: { root: string; minUid: number }, line: (file: string) => Promise<string>) => Promise<void>,
  ) => {
    const stage = await fixture.start();
    const root = String(stage.settings.root);
    const file = (name: string) => join(root, 'etc', name);
    try {
      for (const [name, text] of Object.entries(edit)) await appendFile(file(name), `${text}\n`);
      const line = async (name: string) =>
        (await readFile(file(name), 'utf8')).split('\n').find((each) => each.startsWith('eve:')) ?? '';
      await work({ root, minUid: 1000 }, line);
    } finally {
      await stage.stop();
    }
  };
  const eve = { passwd: 'eve:x:1500:1500:Eve,7b:/home/eve:/bin/sh', group: 'eve:x:1500:' };

  test('or fails for the primary group', () =>
    run(
      {
        passwd: 'eve:x:1500:998::/home/eve:/bin/sh',
        group: 'docker:x:998:',
        shadow: 'eve:!:19000:0:99999:7:::',
      },
      async (files) => {
        const removed = { group: { added: [], removed: [{ id: 'docker' }] } };
        await expect(changeGroups(files, 'eve', removed)).rejects.toMatchObject({
          code: 'INTERNAL_ERROR',
          message: 'docker is the primary group of eve; give the user another one first, with usermod --gid',
        });
      },
    ));

  test('or fails for a group that is gone, which is not a missing account', () =>
    run({}, async (files) => {
      const added = { group: { added: [{ id: 'gone' }], removed: [] } };
      const gone = { code: 'INTERNAL_ERROR', message: 'the group gone does not exist on this machine' };
      await expect(changeGroups(files, 'person1', added)).rejects.toMatchObject(gone);
      const account = { id: 'x', username: 'newcomer' };
      await expect(addUser(files, account, { group: [{ id: 'gone' }] })).rejects.toMatchObject(gone);
      await changeGroups(files, 'person1', { group: { added: [], removed: [{ id: 'gone' }] } });
    }));

  test('and a group with the name of a new user is not an account that exists', () =>
    run({ group: 'newcomer:x:1700:' }, async (files) => {
      await expect(addUser(files, { id: 'x', username: 'newcomer' }, {})).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/^exit code 9: .*group newcomer exists/s),
      });
    }));

  test('and keeps a date on which the account expires', () =>
    run({ ...eve, shadow: 'eve:$y$x:19000:0:99999:7::80000:' }, async (files, line) => {
      for (const _ of ['once', 'twice']) await suspendUser(files, 'eve');
      expect(await line('shadow')).toBe('eve:!$y$x:19000:0:99999:7::1:');
      expect(await readUsers(files)).toContainEqual(
        expect.objectContaining({ name: 'eve', fullName: 'Eve', suspended: true }),
      );
      for (const _ of ['once', 'twice']) await unsuspendUser(files, 'eve');
      expect(await line('shadow')).toBe('eve:$y$x:19000:0:99999:7::80000:');
      expect(await line('passwd')).toBe(eve.passwd);
    }));

  test('and does not extend an account that expired while it was suspended', () =>
    run(
      {
        ...eve,
        passwd: 'eve:x:1500:1500:Eve,,,,expires=2020-01-31:/home/eve:/bin/sh',
        shadow: 'eve:!$y$x:19000:0:99999:7::1:',
      },
      async (files, line) => {
        await expect(unsuspendUser(files, 'eve')).rejects.toThrow(
          'eve could not sign in: the account was to expire on 2020-01-31; set another date with usermod --expiredate first',
        );
        expect(await line('shadow')).toBe('eve:!$y$x:19000:0:99999:7::1:');
      },
    ));

  test('or fails for a password that expired too long ago', () =>
    run({ ...eve, shadow: 'eve:!$y$x:19000:0:90:7:30:1:' }, async (files, line) => {
      await expect(unsuspendUser(files, 'eve')).rejects.toThrow(
        /^eve could not sign in: the password expired longer ago than it may still be changed/,
      );
      expect(await line('shadow')).toBe('eve:!$y$x:19000:0:90:7:30:1:');
    }));
});
