// @module-tag servers
import { silent } from '@gatehouse/connector';
import { expect, test } from 'vitest';
import { connector } from './connector.ts';
import { listAccounts, readAccount } from './directory.ts';
import type { Directory } from './kinds.ts';
import { available, startOpenLdap } from './test/conformance.ts';

const sync = `dn: uid=sync,ou=people,dc=acme,dc=example
objectClass: inetOrgPerson
uid: sync
cn: Sync
sn: Sync
userPassword: sync-password
`;

test.skipIf(!available)(
  'marks the account of its bind DN, however the DN is written (needs slapd and ldap-utils)',
  async () => {
    const stage = await startOpenLdap({ entries: sync });
    const settings = { server: 'auto', startTls: false, nestedGroups: true, ...stage.settings };
    const bind = { bindDn: 'UID=Sync, OU=people,DC=acme, DC=example', bindPassword: 'sync-password' };
    const { signal } = new AbortController();
    const directory: Directory = await connector.connect({ ...settings, ...bind }, { signal, log: silent });
    try {
      const accounts = await Array.fromAsync(listAccounts(directory));
      const own = accounts.filter(({ is_own }) => is_own === true);
      expect(own).toMatchObject([{ username: 'sync' }]);
      expect(await readAccount(directory, own[0]?.id ?? '')).toMatchObject({ is_own: true });
    } finally {
      await directory.session.close();
      await stage.stop();
    }
  },
  60_000,
);
