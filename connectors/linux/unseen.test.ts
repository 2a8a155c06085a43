import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silent, type Unseen } from '@gatehouse/connector';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connector } from './connector.ts';
import { type Files, readGroups } from './files.ts';
import { addUser, changeGroups, deleteUser, findUser, suspendUser, unsuspendUser } from './tasks.ts';

let root: string;
const etc = (name: string) => join(root, 'etc', name);
const write = (name: string, ...lines: string[]) => writeFile(etc(name), `${lines.join('\n')}\n`);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gatehouse-linux-'));
  await mkdir(join(root, 'etc'));
  await write(
    'passwd',
    'root:*:0:0:root:/root:/bin/bash',
    'toor:*:0:0::/root:',
    'daemon:*:1:1::/:/usr/sbin/nologin',
    'ada:*:1000:1000::/home/ada:/bin/bash',
    'maria:*:1200340:1200340::/home/maria:/bin/bash',
    'far:*:2147483647:1000::/home/far:/bin/bash',
    'nobody:*:65534:65534::/:/usr/sbin/nologin',
  );
  await write(
    'group',
    'root:x:0:',
    'docker:x:998:ada,daemon,ldapuser',
    'staff:x:50:toor,root',
    'ada:x:1000:',
  );
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function list(minUid = 1000) {
  const reports: Unseen[] = [];
  const context = {
    from: undefined,
    signal: new AbortController().signal,
    log: silent,
    skip: () => {},
    mayShift: () => {},
    unseen: (what: Unseen) => void reports.push(what),
  };
  const pages = await Array.fromAsync(connector.accounts.user?.list({ root, minUid }, context) ?? []);
  const names = pages.flatMap((each) => ('records' in each ? each.records : [each])).map(({ id }) => id);
  return { names, left: reports.map(({ slug, id, rule, count }) => `${id ?? slug}: ${count} ${rule}`) };
}

describe('a listing', () => {
  test('has the users of a directory, whose ids are high, and counts system users and unknown members', async () => {
    expect(await list()).toEqual({
      names: ['ada', 'maria', 'far'],
      left: ['user: 4 range', 'root: 2 range', 'docker: 1 range', 'docker: 1 foreign', 'staff: 2 range'],
    });
  });

  test('leaves out nobody only if minUid is 0', async () => {
    const { names, left } = await list(0);
    expect(names).toEqual(['root', 'toor', 'daemon', 'ada', 'maria', 'far']);
    expect(left).toEqual(['user: 1 range', 'docker: 1 foreign']);
  });

  test('counts the other sources of users, as the number of their users is unknown', async () => {
    await appendFile(etc('passwd'), '+@admins::::::\n-joe\n');
    await appendFile(etc('group'), '+:::\n');
    await write(
      'nsswitch.conf',
      '# passwd: nis',
      'passwd:  files systemd sss [NOTFOUND=return] ldap',
      'group: files winbind',
    );
    expect((await list()).left.slice(0, 3)).toEqual(['user: 4 range', 'user: 3 foreign', 'group: 2 foreign']);
    expect((await readGroups({ root, minUid: 0 })).map(({ name }) => name)).not.toContain('+');
  });
});

test.each(['root', 'toor'])('no task changes %s, whatever minUid is', async (name) => {
  // A program that would show if one of the tools ran.
  const through = join(root, 'through');
  await writeFile(through, '#!/bin/sh\necho "$@" >> "$0.log"\n', { mode: 0o755 });
  const files: Files = { root, minUid: 0, through };
  const groups = { group: { added: [{ id: 'docker' }], removed: [] } };
  for (const task of [
    () => changeGroups(files, name, groups),
    () => deleteUser(files, name),
    () => suspendUser(files, name),
    () => unsuspendUser(files, name),
  ])
    await expect(task()).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
      message: `${name} has the user id 0, with which it controls the machine, so no task changes it: change it on the machine itself`,
    });
  expect(await findUser(files, { id: '', username: name })).toBe(name);
  await addUser(files, { id: '', username: 'new' }, {});
  expect(await readFile(`${through}.log`, 'utf8')).toMatch(/^useradd .* new\n$/);
});
