import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { available as hasSamba, startSamba } from '../../../connectors/ldap/conformance-ad.ts';
import {
  isInstalled as hasRabbitMq,
  fixture as rabbitmq,
} from '../../../connectors/rest/conformance-rabbitmq.ts';
import { missingMariaDb, startMariaDb } from '../../../connectors/sql/mariadb.ts';
import { wordpress } from '../../../connectors/sql/wordpress.ts';
import { ROOT } from '../../server/test/service.ts';

/** A real system that the server connects. */
export interface System {
  /** The settings by label. */
  settings: Record<string, string>;
  password: string;
  definition?: string;
  /** Returns the groups of a person, read from the system itself. Null: the person has no account in it. */
  accessOf(username: string): Promise<string[] | null>;
  stop(): Promise<void>;
}

/** The person who gets access. */
interface Newcomer {
  email: string;
  username: string;
}

/** The examples of baton-sql are not part of this repository. */
const theirs = join(process.env.BATON_SQL_EXAMPLES ?? '', 'wordpress.yml');
const ours = join(ROOT, 'connectors/sql/examples/wordpress-roles.yml');
/** Whether the definition of WordPress creates and deletes accounts. */
export const createsAccounts = !process.env.BATON_SQL_EXAMPLES || !existsSync(theirs);

/** Why a system cannot start here, or undefined. */
export const missing = {
  wordpress: missingMariaDb,
  rabbitmq: hasRabbitMq ? undefined : 'RabbitMQ is not installed (rabbitmq-server)',
  activeDirectory: hasSamba
    ? undefined
    : 'Samba as a domain controller needs root and samba-ad-dc, samba-ad-provision, ldb-tools and ldap-utils',
};

/** WordPress's tables on MariaDB. Unless the definition creates accounts, the newcomer has one without a role. */
export async function startWordPress({ username, email }: Newcomer): Promise<System> {
  const { admin, port, stop } = await startMariaDb();
  const password = 'a password: 100% & more';
  await admin.query(wordpress);
  await admin.query(
    `create user keeper identified by '${password}';
     grant select, insert, update, delete on wordpress.* to keeper`,
  );
  if (!createsAccounts)
    await admin.query(
      'insert into wp_users (user_login, user_nicename, user_email, user_registered) values (?, ?, ?, now())',
      [username, username, email],
    );
  return {
    definition: await readFile(createsAccounts ? ours : theirs, 'utf8'),
    settings: {
      'DB username': 'keeper',
      'DB host': '127.0.0.1',
      'DB port': String(port),
      'DB name': 'wordpress',
    },
    password,
    async accessOf(login) {
      const [rows] = await admin.query(
        `select meta_value from wp_users
         left join wp_usermeta on user_id = ID and meta_key = 'wp_capabilities' where user_login = ?`,
        [login],
      );
      const capabilities = (rows as { meta_value: string | null }[]).map(
        ({ meta_value }) => meta_value ?? '',
      );
      if (capabilities.length === 0) return null;
      return [...capabilities.join('').matchAll(/"(\w+)";b:1/g)].map(([, role]) => String(role));
    },
    stop,
  };
}

export async function startRabbitMq(): Promise<System> {
  const { settings, witness, stop } = await rabbitmq.start();
  return {
    settings: { URL: String(settings.URL), Username: String(settings.USERNAME) },
    password: String(settings.PASSWORD),
    async accessOf(name) {
      if (!(await witness.exists(name))) return null;
      return (await witness.holds(name, 'vhost', 'orders')) ? ['orders'] : [];
    },
    stop,
  };
}

export async function startActiveDirectory(): Promise<System> {
  const { settings, tools, stop } = await startSamba();
  const { url, bindDn, bindPassword, users, groups, caFile } = settings;
  return {
    settings: {
      URL: url,
      'Bind DN': bindDn,
      Users: users,
      Groups: groups,
      CA: await readFile(caFile, 'utf8'),
    },
    password: bindPassword,
    async accessOf(name) {
      const entry = await tools.search(users, `(sAMAccountName=${name})`, 'memberOf');
      if (!entry.startsWith('dn:')) return null;
      return [...entry.matchAll(/^memberOf: CN=([^,]+)/gm)].map(([, group]) => String(group));
    },
    stop,
  };
}
