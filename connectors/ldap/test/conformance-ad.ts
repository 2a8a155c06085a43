import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fixture, switchOf } from '@gatehouse/connector/conformance';
import { inFolder, makeCertificate, numbered, run, signingInAs, startServer, toolsOf } from './tools.ts';

const domain = 'ad.acme.example';
const base = 'DC=ad,DC=acme,DC=example';
const people = `OU=people,${base}`;
const groups = `OU=groups,${base}`;
const administrator = { dn: `Administrator@${domain}`, password: 'Admin-Passw0rd' };
const reader = { dn: `reader@${domain}`, password: 'Reader-Passw0rd' };
const programs = ['/usr/sbin/samba', '/usr/bin/samba-tool', '/usr/bin/ldbadd', '/usr/bin/ldapsearch'];
/** The GUID of the attribute `member` in the schema. */
const MEMBER = 'bf9679c0-0de6-11d0-a285-00aa003049e2';
const provisioning = '/usr/share/samba/setup/provision.ldif';

/** Requires Debian's packages `samba-ad-dc`, `samba-ad-provision`, `ldb-tools`, `ldap-utils` and `openssl`, and root. */
export const available =
  [...programs, provisioning].every((each) => existsSync(each)) && process.getuid?.() === 0;

/**
 * Provisions a domain with Samba as its Active Directory domain controller, in a folder of its own. Samba's LDAP ports are
 * fixed, so that each domain controller gets its own loopback address. `ldbsearch` reads the results from Samba's files.
 */
export const startSamba = () => inFolder('gatehouse-samba-', startIn);

async function startIn(folder: string) {
  const address = `127.${randomInt(64, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const url = `ldaps://${address}`;
  const { certificate } = await makeCertificate(folder, `IP:${address}`);
  await provision(folder, address);
  const database = join(folder, 'domain/private/sam.ldb');
  await writeFile(join(folder, 'start.ldif'), content());
  await run('ldbadd', ['-H', database, join(folder, 'start.ldif')], { maxBuffer: 1e8 });

  const tools = toolsOf(url, administrator.dn, administrator.password, certificate);
  const begin = () =>
    startServer(programs[0] ?? '', ['-i', '-M', 'single', `--configfile=${join(folder, 'smb.conf')}`], () =>
      tools.signsIn(administrator.dn, administrator.password),
    );
  let server = await begin();

  const look = async (filter: string, ...attributes: string[]) =>
    (await run('ldbsearch', ['-H', database, filter, ...attributes])).stdout;
  const value = async (filter: string, attribute: string) =>
    new RegExp(`^${attribute}: (.*)$`, 'm').exec(await look(filter, attribute))?.[1];
  const staff = await value('(sAMAccountName=staff)', 'objectSid');
  await tools.apply(folder, laterContent(String(staff?.split('-').at(-1))));
  const dnOf = async (id: string) => value(`(objectGUID=${id})`, 'distinguishedName');
  const idOf = async (filter: string) => String(await value(filter, 'objectGUID'));
  const settings = ({ dn, password }: typeof reader) => ({
    url,
    bindDn: dn,
    bindPassword: password,
    caFile: certificate,
    users: people,
    groups,
    licenses: `OU=licenses,${base}`,
    deliverTo: 'cat',
  });
  const [own, weak] = [settings(administrator), settings(reader)];
  /** Denies the reader rights to an object. */
  const deny = async (dn: string, rights: string, attribute = '') => {
    const sid = await value('(sAMAccountName=reader)', 'objectSid');
    const entry = `(${attribute ? 'OD' : 'D'};;${rights};${attribute};;${sid})`;
    await run('samba-tool', ['dsacl', 'set', '-H', database, `--objectdn=${dn}`, `--sddl=${entry}`]);
  };
  return {
    folder,
    address,
    certificate,
    tools,
    idOf,
    value,
    kill: () => server.stop('SIGKILL'),
    settings: own,
    weakSettings: weak,
    /** Hides an account from the reader. */
    hide: (n: number) => deny(person(n), 'RPLCLORC'),
    /** Hides the members of a group from the reader. */
    hideMembers: (cn: string) => deny(`CN=${cn},${groups}`, 'RP', MEMBER),
    partial: {
      account: signingInAs(own, weak),
      group: signingInAs(own, weak),
      member: switchOf((on) =>
        tools.apply(
          folder,
          `dn: CN=blue,${groups}\nchangetype: modify\n${on ? 'add' : 'delete'}: member\nmember: CN=pc1,${people}\n`,
        ),
      ),
    },
    misfit: (n: number) => ({ id: `odd-${n}`, username: `a.name.of.more.than.20.${n}` }),
    newAccount: (n: number) => ({
      id: `ours-${n}`,
      username: `new.${n}`,
      email: `new.${n}@acme.example`,
      first_name: 'New',
      last_name: `N${n}`,
    }),
    grants: [
      { slug: 'group', ref: { id: await idOf('(sAMAccountName=red)'), name: 'red' } },
      { slug: 'group', ref: { id: await idOf('(sAMAccountName=blue)'), name: 'blue' } },
    ],
    witness: {
      exists: async (id: string) => (await dnOf(id).catch(() => undefined)) !== undefined,
      suspended: async (id: string) =>
        (Number(await value(`(objectGUID=${id})`, 'userAccountControl')) & 2) !== 0,
      holds: async (id: string, _slug: string, ref: string) =>
        (await look(`(&(objectGUID=${ref})(member=${await dnOf(id)}))`, 'cn')).includes('cn:'),
      signsIn: ({ username }: { username?: string | null }, password: string) =>
        tools.signsIn(`${username}@${domain}`, password),
    },
    async outage() {
      await server.stop();
      return async () => {
        server = await begin();
      };
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The reader may not see one of the people, and not the members of one group. */
export const fixture: Fixture = {
  async start() {
    const stage = await startSamba();
    await stage.hide(99);
    await stage.hideMembers('blind');
    return stage;
  },
};

async function provision(folder: string, address: string): Promise<void> {
  const options = [
    'interfaces=lo',
    'bind interfaces only=yes',
    `posix:eadb=${join(folder, 'eadb.tdb')}`,
    'vfs objects=dfs_samba4 acl_xattr xattr_tdb',
  ].map((option) => `--option=${option}`);
  await run(
    'samba-tool',
    [
      ...['domain', 'provision', `--targetdir=${join(folder, 'domain')}`, `--realm=${domain.toUpperCase()}`],
      ...['--domain=ACME', '--server-role=dc', '--dns-backend=NONE', '--host-name=dc1'],
      ...[`--host-ip=${address}`, `--adminpass=${administrator.password}`, ...options],
    ],
    { maxBuffer: 1e8 },
  );
  for (const name of ['run', 'cache', 'ncalrpc']) await mkdir(join(folder, name));
  const settings = {
    'netbios name': 'DC1',
    workgroup: 'ACME',
    realm: domain.toUpperCase(),
    'server role': 'active directory domain controller',
    'server services': 'ldap',
    interfaces: `${address}/8`,
    'bind interfaces only': 'yes',
    'private dir': join(folder, 'domain/private'),
    'state directory': join(folder, 'domain/state'),
    'lock directory': join(folder, 'run'),
    'pid directory': join(folder, 'run'),
    'cache directory': join(folder, 'cache'),
    'ncalrpc dir': join(folder, 'ncalrpc'),
    'log file': join(folder, 'log'),
    'tls keyfile': join(folder, 'key.pem'),
    'tls certfile': join(folder, 'cert.pem'),
    'tls cafile': join(folder, 'cert.pem'),
    'old password allowed period': '0',
    // As in Active Directory's default, a bind without TLS works, but a change of a password does not.
    'ldap server require strong auth': 'no',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await writeFile(join(folder, 'smb.conf'), ['[global]', ...lines, ''].join('\n'));
}

const person = (n: number) => `CN=person.${n},${people}`;
const contact = (n: number) => `CN=contact.${n},OU=contacts,${base}`;
const members = (count: number, from = 0) => numbered(count, (n) => `member: ${person(n)}`, from);
const group = (cn: string, ou: string, ...lines: string[]) =>
  [`dn: CN=${cn},OU=${ou},${base}\nobjectClass: group\nsAMAccountName: ${cn}`, ...lines, ''].join('\n');

/** 150 people, a group with 2,000 members, nested groups, and objects that are not people. */
function content(): string {
  return [
    ...['people', 'groups', 'licenses', 'contacts', 'elsewhere'].map(
      (ou) => `dn: OU=${ou},${base}\nobjectClass: organizationalUnit\n`,
    ),
    numbered(
      150,
      (n) =>
        `dn: ${person(n)}\nobjectClass: user\nsAMAccountName: person.${n}\ngivenName: Person\nsn: Number ${n}\nmail: person.${n}@acme.example\nuserAccountControl: 544\n`,
    ),
    numbered(1850, (n) => `dn: ${contact(n)}\nobjectClass: contact\n`),
    `dn: CN=partner,${people}\nobjectClass: contact\nmail: partner@acme.example\n`,
    `dn: CN=pc1,${people}\nobjectClass: computer\nsAMAccountName: pc1$\nuserAccountControl: 4128\n`,
    group('red', 'groups', 'description: The red team', members(100)),
    group('blue', 'groups', `managedBy: ${person(7)}`),
    group('staff', 'groups', `managedBy: CN=red,${groups}`, members(1, 130)),
    group(
      'crowd',
      'groups',
      members(150),
      numbered(1850, (n) => `member: ${contact(n)}`),
    ),
    group('inner', 'groups', members(1, 120)),
    group('middle', 'elsewhere', `member: CN=inner,${groups}`),
    group('outer', 'groups', `member: CN=middle,OU=elsewhere,${base}`),
    group('editor', 'licenses', 'info: 20', members(15, 50)),
    `dn: CN=stranger,OU=elsewhere,${base}\nobjectClass: user\nsAMAccountName: stranger\n`,
    `dn: CN=service,${people}\nobjectClass: msDS-GroupManagedServiceAccount\nsAMAccountName: service$\nmsDS-ManagedPasswordInterval: 30\nuserAccountControl: 4096\n`,
    group(
      'others',
      'groups',
      ...[
        `CN=stranger,OU=elsewhere,${base}`,
        `CN=pc1,${people}`,
        `CN=service,${people}`,
        `CN=partner,${people}`,
        ...['S-1-5-11', 'S-1-5-4'].map((sid) => `CN=${sid},CN=ForeignSecurityPrincipals,${base}`),
      ].map((dn) => `member: ${dn}`),
    ),
    group('parent', 'groups', `member: CN=others,${groups}`),
    group('blind', 'groups', members(2)),
  ].join('\n');
}

/** Changes that need the running server: a password, a cycle of groups, a primary group, and a deleted person. */
function laterContent(staff: string): string {
  const password = Buffer.from(`"${reader.password}"`, 'utf16le').toString('base64');
  return [
    `dn: CN=reader,CN=Users,${base}\nobjectClass: user\nsAMAccountName: reader\nuserPrincipalName: ${reader.dn}\nunicodePwd:: ${password}\nuserAccountControl: 512\n`,
    `dn: CN=inner,${groups}\nchangetype: modify\nadd: member\nmember: CN=outer,${groups}\n`,
    `dn: ${person(130)}\nchangetype: modify\nreplace: primaryGroupID\nprimaryGroupID: ${staff}\n`,
    `dn: CN=gone,${people}\nobjectClass: user\nsAMAccountName: gone\n`,
    `dn: CN=gone,${people}\nchangetype: delete\n`,
  ].join('\n');
}
