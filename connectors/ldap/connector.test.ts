// @module-tag servers
import { fileURLToPath } from 'node:url';
import { asTable, type Fixture, runConformance } from '@gatehouse/connector/conformance';
import { expect, test } from 'vitest';
import { connector } from './connector.ts';
import * as openldap from './test/conformance.ts';
import * as directoryServer from './test/conformance-389ds.ts';
import * as samba from './test/conformance-ad.ts';

const file = fileURLToPath(new URL('./connector.ts', import.meta.url));

async function conforms(fixture: Fixture): Promise<void> {
  const stage = await fixture.start();
  try {
    const findings = await runConformance({ connector, file, stage, writing: true });
    const ids = (outcome: string) => findings.filter((each) => each.outcome === outcome).map(({ id }) => id);
    expect(ids('failed'), asTable(findings.filter(({ outcome }) => outcome === 'failed'))).toEqual([]);
  } finally {
    await stage.stop();
  }
}

test.skipIf(!openldap.available)(
  'conforms on OpenLDAP (needs slapd and ldap-utils)',
  () => conforms(openldap.fixture),
  180_000,
);
test.skipIf(!directoryServer.available)(
  'conforms on 389 Directory Server (needs 389-ds-base, ldap-utils and root)',
  () => conforms(directoryServer.fixture),
  300_000,
);
test.skipIf(!samba.available)(
  'conforms on Active Directory by Samba (needs samba-ad-dc, ldb-tools, ldap-utils and root)',
  () => conforms(samba.fixture),
  300_000,
);
