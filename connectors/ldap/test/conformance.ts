import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fixture, freePort, switchOf } from '@gatehouse/connector/conformance';
import { run, signingInAs, startServer as start, toolsOf } from './tools.ts';

const slapd = '/usr/sbin/slapd';
const base = 'dc=acme,dc=example';
const admin = ['-x', '-D', `cn=admin,${base}`, '-w', 'admin-password'];

/** Requires Debian's packages `slapd` and `ldap-utils`. */
export const available = existsSync(slapd) && existsSync('/usr/bin/ldapsearch');

export type OpenLdapOptions = {
  certificate?: { key: string; certificate: string };
  /** Further entries, in LDIF. */
  entries?: string;
  /** A limit for everybody except the administrator, as in slapd.conf. */
  limit?: string;
  /** Rules of access that come before the others, as in slapd.conf. */
  access?: string;
  /** The DN of the default password policy. */
  policy?: string;
  /** Whether the server computes the members that LDAP URLs select (dynlist). */
  dynamic?: boolean;
};

/** Starts an OpenLDAP server with 150 people. Results are read back with OpenLDAP's own tools. */
export async function startOpenLdap(options: OpenLdapOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-ldap-'));
  const url = `ldap://127.0.0.1:${await freePort()}`;
  const tlsUrl = `ldaps://127.0.0.1:${await freePort()}`;
  const urls = options.certificate ? `${url} ${tlsUrl}` : url;
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'slapd.conf'), configuration(folder, options));
  let server = await startServer(folder, url, urls);
  await writeFile(join(folder, 'start.ldif'), `${content()}\n${options.entries ?? ''}`);
  await run('ldapadd', ['-H', url, ...admin, '-f', join(folder, 'start.ldif')]);

  const search = async (filter: string, ...attributes: string[]) =>
    (
      await run('ldapsearch', [
        '-H',
        url,
        ...admin,
        '-LLL',
        '-o',
        'ldif-wrap=no',
        '-b',
        base,
        filter,
        ...attributes,
      ])
    ).stdout;
  const value = async (filter: string, attribute: string) =>
    new RegExp(`^${attribute}: (.*)$`, 'm').exec(await search(filter, attribute))?.[1];
  const team = async (cn: string) => ({
    slug: 'group',
    ref: { id: String(await value(`(cn=${cn})`, 'entryUUID')), name: cn },
  });
  const dnOf = async (id: string) => /^dn: (.*)$/m.exec(await search(`(entryUUID=${id})`, 'entryUUID'))?.[1];

  const change = (ldif: string) => toolsOf(url, `cn=admin,${base}`, 'admin-password').apply(folder, ldif);
  const folders = {
    users: `ou=people,${base}`,
    groups: `ou=groups,${base}`,
    licenses: `ou=licenses,${base}`,
  };
  const settings = (name: string) => ({
    url,
    bindDn: `cn=${name},${base}`,
    bindPassword: `${name}-password`,
    ...folders,
    deliverTo: 'cat',
  });
  const own = settings('admin');
  return {
    url,
    search,
    /** Changes entries by LDIF. */
    change,
    signsIn: (dn: string, password: string) =>
      toolsOf(url, `cn=admin,${base}`, 'admin-password').signsIn(dn, password),
    settings: own,
    tlsSettings: { ...settings('admin'), url: tlsUrl, caFile: options.certificate?.certificate },
    kill: () => server.stop('SIGKILL'),
    idOf: async (filter: string) => String(await value(filter, 'entryUUID')),
    weakSettings: settings('reader'),
    newAccount: (n: number) => ({
      id: `ours-${n}`,
      username: `new.${n}`,
      email: `new.${n}@acme.example`,
      first_name: 'New',
      last_name: `N${n}`,
    }),
    grants: [await team('red'), await team('blue')],
    witness: {
      exists: async (id: string) => (await dnOf(id)) !== undefined,
      suspended: async (id: string) =>
        (await value(`(entryUUID=${id})`, 'pwdAccountLockedTime')) !== undefined,
      holds: async (id: string, _slug: string, ref: string) =>
        (await search(`(&(entryUUID=${ref})(member=${await dnOf(id)}))`, 'cn')).includes('cn:'),
      signsIn: async ({ id }: { id: string }, password: string) =>
        run('ldapwhoami', ['-H', url, '-x', '-D', String(await dnOf(id)), '-w', password]).then(
          () => true,
          () => false,
        ),
    },
    partial: {
      // The reader may not see one of the people, and not the members of one group.
      account: signingInAs(own, settings('reader')),
      group: signingInAs(own, settings('reader')),
      member: switchOf((on) =>
        change(
          `dn: cn=blue,${folders.groups}\nchangetype: modify\n${on ? 'add' : 'delete'}: member\nmember: cn=reader,${base}\n`,
        ),
      ),
    },
    misfit: 'OpenLDAP takes every text as a user name',
    async outage() {
      await server.stop();
      return async () => {
        server = await startServer(folder, url, urls);
      };
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const reader = `by dn.exact="cn=reader,${base}" none by * read`;
const person = (n: number) => `uid=person.${n},ou=people,${base}`;

export const fixture: Fixture = {
  start: () =>
    startOpenLdap({
      entries: `dn: cn=closed,ou=groups,${base}\nobjectClass: groupOfNames\ncn: closed\nmember: ${person(1)}\n`,
      access: [
        `access to dn.exact="${person(99)}" ${reader}`,
        `access to dn.exact="cn=closed,ou=groups,${base}" attrs=member ${reader}`,
      ].join('\n'),
    }),
};

const startServer = (folder: string, url: string, urls: string) =>
  start(slapd, ['-f', join(folder, 'slapd.conf'), '-h', urls, '-d', '0'], () =>
    run('ldapwhoami', ['-H', url, ...admin]),
  );

const configuration = (folder: string, { certificate, limit, access, policy, dynamic }: OpenLdapOptions) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/dyngroup.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
${dynamic ? 'moduleload dynlist' : ''}
pidfile ${folder}/slapd.pid
${certificate ? `TLSCertificateFile ${certificate.certificate}\nTLSCertificateKeyFile ${certificate.key}` : ''}
database mdb
directory ${folder}/data
suffix "${base}"
rootdn "cn=admin,${base}"
rootpw admin-password
dbnosync
index objectClass,entryUUID,uid,member eq
${limit ? `limits * ${limit}` : ''}
overlay ppolicy
${policy ? `ppolicy_default "${policy}"` : ''}
${dynamic ? 'overlay dynlist\ndynlist-attrset groupOfURLs memberURL member\ndynlist-attrset labeledURIObject labeledURI member' : ''}
${access ?? ''}
access to attrs=userPassword by anonymous auth by * none
access to * by * read
`;

function content(): string {
  const folders = ['people', 'groups', 'licenses'].map(
    (ou) => `dn: ou=${ou},${base}\nobjectClass: organizationalUnit\nou: ${ou}\n`,
  );
  const people = Array.from({ length: 150 }, (_, n) => {
    const uid = `person.${n}`;
    return `dn: uid=${uid},ou=people,${base}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: Person ${n}\nsn: Number ${n}\nmail: ${uid}@acme.example\n`;
  });
  const members = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `member: uid=person.${from + n},ou=people,${base}`).join(
      '\n',
    );
  return [
    `dn: ${base}\nobjectClass: organization\nobjectClass: dcObject\no: Acme\ndc: acme\n`,
    ...folders,
    ...people,
    `dn: cn=reader,${base}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: reader\nuserPassword: reader-password\n`,
    // A search returns a referral for this entry, which the connector ignores.
    `dn: ou=elsewhere,ou=people,${base}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ldap://other.acme.example/${base}\n`,
    `dn: cn=red,ou=groups,${base}\nobjectClass: groupOfNames\ncn: red\ndescription: The red team\n${members(0, 100)}\n`,
    `dn: cn=blue,ou=groups,${base}\nobjectClass: groupOfNames\ncn: blue\nmember: \n`,
    `dn: cn=editor,ou=licenses,${base}\nobjectClass: groupOfNames\ncn: editor\nbusinessCategory: 20\n${members(50, 65)}\n`,
  ].join('\n');
}
