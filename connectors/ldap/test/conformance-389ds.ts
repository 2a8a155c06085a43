import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Fixture, freePort, switchOf } from '@gatehouse/connector/conformance';
import { fill, inFolder, numbered, run, signingInAs, startServer, toolsOf } from './tools.ts';

const program = '/usr/sbin/ns-slapd';
const template = '/usr/share/dirsrv/data/template-dse.ldif';
const base = 'dc=acme,dc=example';
const manager = 'cn=Directory Manager';

/** Requires Debian's packages `389-ds-base` and `ldap-utils`, and root. */
export const available =
  existsSync(program) &&
  existsSync(template) &&
  existsSync('/usr/bin/ldapsearch') &&
  process.getuid?.() === 0;

/** Starts 389 Directory Server with 150 people, in a folder of its own. */
export const start389 = () => inFolder('gatehouse-389ds-', startIn);

async function startIn(folder: string) {
  const port = await freePort();
  const url = `ldap://127.0.0.1:${port}`;
  await configure(folder, port);
  const tools = toolsOf(url, manager, 'manager-password');
  const begin = () =>
    startServer(program, ['-D', join(folder, 'config'), '-i', join(folder, 'run', 'pid'), '-d', '0'], () =>
      tools.signsIn(manager, 'manager-password'),
    );
  let server = await begin();
  await tools.apply(folder, backend);
  await tools.apply(folder, content());

  const value = (filter: string, attribute: string) => tools.value(base, filter, attribute);
  const dnOf = async (id: string) =>
    /^dn: (.*)$/m.exec(await tools.search(base, `(nsUniqueId=${id})`, '1.1'))?.[1];
  const idOf = async (filter: string) => String(await value(filter, 'nsUniqueId'));
  const settings = (bindDn: string, bindPassword: string) => ({
    url,
    bindDn,
    bindPassword,
    users: `ou=people,${base}`,
    groups: `ou=groups,${base}`,
    licenses: `ou=licenses,${base}`,
    deliverTo: 'cat',
  });
  const [own, weak] = [
    settings(manager, 'manager-password'),
    settings(`uid=reader,${base}`, 'reader-password'),
  ];
  return {
    folder,
    tools,
    idOf,
    kill: () => server.stop('SIGKILL'),
    settings: own,
    weakSettings: weak,
    partial: {
      // The reader may not see one of the people, and not the members of one group.
      account: signingInAs(own, weak),
      group: signingInAs(own, weak),
      member: switchOf((on) =>
        tools.apply(
          folder,
          `dn: cn=blue,ou=groups,${base}\nchangetype: modify\n${on ? 'add' : 'delete'}: member\nmember: uid=reader,${base}\n`,
        ),
      ),
    },
    misfit: '389 Directory Server takes every text as a user name',
    newAccount: (n: number) => ({
      id: `ours-${n}`,
      username: `new.${n}`,
      email: `new.${n}@acme.example`,
      first_name: 'New',
      last_name: `N${n}`,
    }),
    grants: [
      { slug: 'group', ref: { id: await idOf('(cn=red)'), name: 'red' } },
      { slug: 'group', ref: { id: await idOf('(cn=blue)'), name: 'blue' } },
    ],
    witness: {
      exists: async (id: string) => (await dnOf(id)) !== undefined,
      suspended: async (id: string) => (await value(`(nsUniqueId=${id})`, 'nsAccountLock')) === 'true',
      holds: async (id: string, _slug: string, ref: string) =>
        (await tools.search(base, `(&(nsUniqueId=${ref})(member=${await dnOf(id)}))`, 'cn')).includes('cn:'),
      signsIn: async ({ id }: { id: string }, password: string) =>
        tools.signsIn(String(await dnOf(id)), password),
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

const hiddenFromReader = (attributes: string) =>
  `aci: (targetattr = "${attributes}")(version 3.0; acl "hide"; deny (all) userdn = "ldap:///uid=reader,${base}";)`;

/** LDIF that hides one of the people, and the members of a group, from the reader. */
const hidden = [
  `dn: uid=person.99,ou=people,${base}\nchangetype: modify\nadd: aci\n${hiddenFromReader('*')}\n`,
  `dn: cn=closed,ou=groups,${base}\nchangetype: add\nobjectClass: groupOfNames\ncn: closed\nmember: uid=person.1,ou=people,${base}\n${hiddenFromReader('member')}\n`,
].join('\n');

export const fixture: Fixture = {
  async start() {
    const stage = await start389();
    await stage.tools.apply(stage.folder, hidden);
    return stage;
  },
};

/** Fills the template that Debian's package has for new servers. */
async function configure(folder: string, port: number): Promise<void> {
  const names = ['lock', 'tmp', 'ldif', 'bak', 'run', 'inst', 'log', 'db', 'config'] as const;
  const at = (name: (typeof names)[number]) => join(folder, name);
  for (const name of names) await mkdir(at(name));
  await mkdir(join(at('config'), 'schema'));
  for (const part of ['config/certmap.conf', 'config/slapd-collations.conf', 'schema/99user.ldif'])
    await cp(`/etc/dirsrv/${part}`, join(at('config'), part.replace('config/', '')));
  const { stdout } = await run('pwdhash', ['-s', 'PBKDF2-SHA512', 'manager-password']);
  const filled = await fill(template, {
    schema_dir: join(at('config'), 'schema'),
    lock_dir: at('lock'),
    tmp_dir: at('tmp'),
    cert_dir: at('config'),
    config_dir: at('config'),
    ldif_dir: at('ldif'),
    bak_dir: at('bak'),
    run_dir: at('run'),
    inst_dir: at('inst'),
    log_dir: at('log'),
    db_dir: at('db'),
    db_home_dir: at('db'),
    db_lib: 'bdb',
    fqdn: 'localhost',
    ds_port: String(port),
    ds_user: 'root',
    ds_suffix: base,
    ds_passwd: stdout.trim(),
    rootdn: manager,
    ldapi: join(at('run'), 'socket'),
    ldapi_enabled: 'off',
    ldapi_autobind: 'off',
  });
  await writeFile(
    join(at('config'), 'dse.ldif'),
    filled.replace(/^nsslapd-port:/m, 'nsslapd-listenhost: 127.0.0.1\nnsslapd-port:'),
  );
}

const backend = `dn: cn=userRoot,cn=ldbm database,cn=plugins,cn=config
objectClass: extensibleObject
objectClass: nsBackendInstance
nsslapd-suffix: ${base}
cn: userRoot

dn: cn="${base}",cn=mapping tree,cn=config
objectClass: extensibleObject
objectClass: nsMappingTree
cn: ${base}
nsslapd-state: backend
nsslapd-backend: userRoot
`;

function content(): string {
  const person = (n: number) => `uid=person.${n},ou=people,${base}`;
  const members = (count: number, from = 0) => numbered(count, (n) => `member: ${person(n)}`, from);
  const group = (cn: string, ...lines: string[]) =>
    [`dn: cn=${cn},ou=groups,${base}\nobjectClass: groupOfNames\ncn: ${cn}`, ...lines, ''].join('\n');
  return [
    `dn: ${base}\nobjectClass: domain\ndc: acme\naci: (targetattr = "*")(version 3.0; acl "read"; allow (read, search, compare) userdn = "ldap:///all";)\n`,
    ...['people', 'groups', 'licenses'].map(
      (ou) => `dn: ou=${ou},${base}\nobjectClass: organizationalUnit\nou: ${ou}\n`,
    ),
    numbered(
      150,
      (n) =>
        `dn: ${person(n)}\nobjectClass: inetOrgPerson\nuid: person.${n}\ncn: Person ${n}\nsn: Number ${n}\nmail: person.${n}@acme.example\n`,
    ),
    `dn: uid=reader,${base}\nobjectClass: account\nobjectClass: simpleSecurityObject\nuid: reader\nuserPassword: reader-password\n`,
    group('red', 'description: The red team', members(100)),
    group('blue'),
    // outer contains middle, middle contains inner, and inner contains outer.
    group('outer', `member: cn=middle,ou=groups,${base}`),
    group('middle', `member: cn=inner,ou=groups,${base}`),
    group('inner', `member: cn=outer,ou=groups,${base}`, members(1, 120)),
    `dn: cn=editor,ou=licenses,${base}\nobjectClass: groupOfNames\nobjectClass: extensibleObject\ncn: editor\nbusinessCategory: 20\n${members(15, 50)}\n`,
  ].join('\n');
}
