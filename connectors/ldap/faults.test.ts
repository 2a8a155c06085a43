// @module-tag servers
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedService, startScriptedService } from '@gatehouse/connector/conformance';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openldap } from './kinds.ts';
import { Session } from './session.ts';
import { available, type OpenLdapOptions, startOpenLdap } from './test/conformance.ts';
import { makeAuthority, makeCertificate, numbered, syncInto } from './test/tools.ts';

const base = 'dc=acme,dc=example';
type Stage = Awaited<ReturnType<typeof startOpenLdap>>;

/** Each fault follows a complete sync. It ends with one sentence, and the inventory stays as it was. */
describe.skipIf(!available)('a fault removes nothing (needs slapd, ldap-utils and openssl)', () => {
  let service: ScriptedService;
  let folder: string;
  let app: string;
  let stage: Stage | undefined;
  beforeEach(async () => {
    service = await startScriptedService();
    app = service.world.createApp('ldap').id;
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
  });
  afterEach(async () => {
    await stage?.stop();
    stage = undefined;
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sync = (settings: Record<string, unknown>, ...args: string[]) =>
    syncInto(service, app, folder, settings, ...args);

  async function start(options: OpenLdapOptions = {}): Promise<Stage> {
    stage = await startOpenLdap(options);
    return stage;
  }

  async function completeSync(settings: Record<string, unknown>) {
    const { code, output } = await sync(settings);
    expect(code, output).toBe(0);
    const inventory = service.world.inventory(app);
    expect(inventory.person).toHaveLength(150);
    return inventory;
  }

  test('wrong password', async () => {
    const { settings } = await start();
    const before = await completeSync(settings);
    const { code, output } = await sync({ ...settings, bindPassword: 'mistaken' });
    expect(output).toMatch(/^error: 127\.0\.0\.1:\d+: the bind DN or its password is wrong \(code 49\)\s*$/);
    expect(code).toBe(4);
    expect(service.world.inventory(app)).toEqual(before);
  }, 60_000);

  test('expired certificate, with ldaps:// and StartTLS', async () => {
    const certificate = await makeCertificate(folder, 'IP:127.0.0.1');
    const { settings, tlsSettings } = await start({ certificate });
    const before = await completeSync(settings);
    await completeSync(tlsSettings);
    await completeSync({ ...settings, startTls: true, caFile: certificate.certificate });
    const ca = readFileSync(certificate.certificate, 'utf8');
    await completeSync({ ...settings, startTls: true, ca });
    await stage?.stop();

    const expired = await makeCertificate(folder, 'IP:127.0.0.1', -1);
    const restarted = await start({ certificate: expired });
    const overTls = { ...restarted.settings, startTls: true, caFile: expired.certificate };
    for (const attempt of [restarted.tlsSettings, overTls]) {
      const { code, output } = await sync(attempt);
      expect(output).toContain('the certificate of 127.0.0.1 has expired: install a new one on the server');
      expect(code).toBe(1);
      expect(service.world.inventory(app)).toEqual(before);
    }
  }, 90_000);

  test('a certificate of a private CA, which the setting ca must name', async () => {
    const authority = await makeAuthority(folder);
    const certificate = await makeCertificate(folder, 'IP:127.0.0.1', 30, authority);
    const { settings, tlsSettings } = await start({ certificate });
    const { caFile, ...overTls } = tlsSettings;
    const ca = readFileSync(authority.certificate, 'utf8');
    const before = await completeSync({ ...overTls, ca });
    const other = readFileSync((await makeAuthority(folder)).certificate, 'utf8');
    for (const attempt of [overTls, { ...settings, startTls: true }, { ...overTls, ca: other }]) {
      const { code, output } = await sync(attempt);
      expect(output).toMatch(
        /^error: the certificate of 127\.0\.0\.1 is not signed by a trusted authority; set ca or caFile to the certificate of its CA\s*$/,
      );
      expect(code).toBe(1);
      expect(service.world.inventory(app)).toEqual(before);
    }
  }, 90_000);

  test('a server that is killed during the list', async () => {
    const { settings, kill } = await start();
    const before = await completeSync(settings);
    // The groups arrive first. Their page is repeated after the server is gone.
    service.arm({ on: /^PUT /, nth: 1, what: 'drop', also: () => void kill() });
    const { code, output } = await sync(settings);
    expect(output).toMatch(/the connection to 127\.0\.0\.1:\d+ failed \(.+\)/);
    expect(code).not.toBe(0);
    expect(service.world.inventory(app)).toEqual(before);
  }, 60_000);

  test('a size limit of the server, in spite of pages', async () => {
    const { settings, weakSettings } = await start({ limit: 'size.prtotal=60' });
    const before = await completeSync(settings);
    const { code, output } = await sync(weakSettings);
    expect(output).toContain(
      'the server stopped at its size limit before the list was complete: raise the limit for the bind DN (code 4',
    );
    expect(code).not.toBe(0);
    expect(service.world.inventory(app)).toEqual(before);
  }, 60_000);

  test.each([
    ['member', 'the bind DN may not read member of cn=', 1],
    ['uniqueMember', 'the bind DN may not read uniqueMember of cn=unique,', 1],
    ['memberUid', 'the bind DN may not read memberUid of cn=posix,', 1],
    ['pwdAccountLockedTime', 'the bind DN may not read pwdAccountLockedTime of uid=person.0,', 1],
    ['mail', 'only 0 of 150 person records have email, which 150 of 150 had before', 5],
    ['sn', 'only 0 of 150 person records have last_name, which 150 of 150 had before', 5],
    ['description', 'only 0 of 14 group records have description, which 12 of 14 had before', 5],
  ])(
    'a bind DN that may no longer read %s',
    async (attribute, sentence, exit) => {
      const reader = `dn.exact="cn=reader,${base}"`;
      const teams = numbered(
        10,
        (n) =>
          `dn: cn=team.${n},ou=groups,${base}\nobjectClass: groupOfNames\ncn: team.${n}\ndescription: Team ${n}\nmember: \n`,
      );
      const others = [
        `dn: cn=unique,ou=groups,${base}\nobjectClass: groupOfUniqueNames\ncn: unique\nuniqueMember: `,
        `dn: cn=posix,ou=groups,${base}\nobjectClass: posixGroup\ncn: posix\ngidNumber: 500`,
      ];
      const { settings, weakSettings, change } = await start({
        access: `access to attrs=${attribute} by ${reader} none by * read`,
        entries: [...others, teams].join('\n\n'),
      });
      await change(
        `dn: cn=blue,ou=groups,${base}\nchangetype: modify\nadd: description\ndescription: Blue\n`,
      );
      await change(
        numbered(
          12,
          (n) =>
            `dn: uid=person.${n},${settings.users}\nchangetype: modify\nadd: pwdAccountLockedTime\npwdAccountLockedTime: 000001010000Z\n`,
        ),
      );
      const before = await completeSync(settings);
      expect(before.person?.filter(({ status }) => status === 'suspended')).toHaveLength(12);
      const { code, output } = await sync(weakSettings);
      expect(output).toContain(sentence);
      expect(code).toBe(exit);
      expect(service.world.inventory(app)).toEqual(before);
      if (exit === 1) return;
      // The operator may accept that a field is gone.
      expect(output).toContain('Nothing was changed. If this is right, run with --guard off');
      expect(await sync(weakSettings, '--guard', 'off')).toMatchObject({ code: 0 });
      expect(await sync(weakSettings)).toMatchObject({ code: 0 });
    },
    60_000,
  );

  test('a restart of the server, over StartTLS', async () => {
    const certificate = await makeCertificate(folder, 'IP:127.0.0.1');
    const { settings, idOf, outage, witness } = await start({ certificate });
    const session = new Session({ ...settings, startTls: true, caFile: certificate.certificate });
    const id = await idOf('(uid=person.1)');
    const lock = async (dn: string) => session.modify(dn, openldap.lock({ dn }, true));
    try {
      await session.read('', ['vendorName']);
      const repair = await outage();
      await expect(lock(`uid=person.1,${settings.users}`)).rejects.toThrow();
      expect(session.secure).toBe(true);
      await repair();
      // A change needs the bind, which follows the encryption of the new connection.
      await lock(`uid=person.1,${settings.users}`);
      expect(await witness.suspended(id)).toBe(true);
    } finally {
      await session.close();
    }
  }, 60_000);
});
