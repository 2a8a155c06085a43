// @module-tag servers
import { silent } from '@gatehouse/connector';
import { expect, test } from 'vitest';
import { connector } from './connector.ts';
import { listAccounts, listGroups, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { available, startOpenLdap } from './test/conformance.ts';

const base = 'dc=acme,dc=example';
const person = (n: number) => `uid=person.${n},ou=people,${base}`;
const group = (name: string, ...lines: string[]) =>
  [`dn: cn=${name},ou=groups,${base}`, 'objectClass: groupOfNames', `cn: ${name}`, 'member: ', ...lines].join(
    '\n',
  );
/** More groups than a page has. */
const many = Array.from({ length: 1100 }, (_, n) => group(`many.${n}`, `owner: ${person(n % 120)}`));
const others = [
  group('owned', `owner: ${person(1)}`),
  group('gone', `owner: uid=nobody,ou=people,${base}`, `owner: uid=a,dc=elsewhere`),
  group('by-group', `owner: cn=owned,ou=groups,${base}`),
  group('second', `owner: cn=red,ou=groups,${base}`, `owner: ${person(2)}`),
  `dn: uid=backup,ou=people,${base}
objectClass: inetOrgPerson
objectClass: extensibleObject
uid: backup
cn: Backup
sn: Backup
owner: ${person(3)}`,
];

test.skipIf(!available)(
  'reads the owners of groups and accounts (needs slapd and ldap-utils)',
  async () => {
    const stage = await startOpenLdap({ entries: [...many, ...others].join('\n\n') });
    const settings = { server: 'auto', startTls: false, nestedGroups: true, ...stage.settings };
    const { signal } = new AbortController();
    const directory: Directory = await connector.connect(settings, { signal, log: silent });
    try {
      const groups = new Map(
        (await Array.fromAsync(listGroups(directory))).map(({ name, owner }) => [name, owner]),
      );
      expect(groups.size).toBe(1106);
      for (const n of [0, 499, 500, 1099])
        expect(groups.get(`many.${n}`)).toBe(`person.${n % 120}@acme.example`);
      expect(groups.get('owned')).toBe('person.1@acme.example');
      expect(groups.get('gone')).toBeUndefined();
      // A group is nobody to ask.
      expect(groups.get('by-group')).toBeUndefined();
      expect(groups.get('second')).toBe('person.2@acme.example');
      expect(groups.get('red')).toBeUndefined();

      const accounts = await Array.fromAsync(listAccounts(directory));
      const backup = accounts.find(({ username }) => username === 'backup');
      expect(backup?.owner).toBe('person.3@acme.example');
      expect((await readAccount(directory, backup?.id ?? ''))?.owner).toBe('person.3@acme.example');
      expect(accounts.filter(({ owner }) => owner !== undefined)).toHaveLength(1);
    } finally {
      await directory.session.close();
      await stage.stop();
    }
  },
  180_000,
);
