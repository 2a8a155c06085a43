import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Fixture, freePort } from '@gatehouse/connector/conformance';

/** Debian's folders. */
const redmine = '/usr/share/redmine';
const gems = '/usr/share/rubygems-integration/all/gems';
export const isInstalled = existsSync(join(redmine, 'config.ru')) && existsSync('/usr/bin/puma');
const definition = fileURLToPath(new URL('../definitions/redmine.yml', import.meta.url));

/**
 * Starts Redmine with a new SQLite database, 110 users and two groups, in a temporary folder and on the loopback interface.
 * The witness reads Redmine's HTML pages and signs in as people do.
 */
export const fixture = {
  async start() {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-redmine-'));
    const keys = { admin: randomBytes(20).toString('hex'), reader: randomBytes(20).toString('hex') };
    const port = await freePort();
    const env = configure(folder, keys);
    const args = ['--bind', `tcp://127.0.0.1:${port}`, '--threads', '1:1', join(folder, 'config.ru')];
    const child = spawn('/usr/bin/puma', args, { cwd: folder, env, stdio: 'ignore' });
    const stop = async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    };
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url, child).catch(async (error) => {
      await stop();
      throw error;
    });
    const settings = { definition, URL: url, API_KEY: keys.admin, deliverTo: 'cat' };
    const ask = (path: string, headers: HeadersInit) => fetch(url + path, { headers });
    const asAdmin = (path: string) => ask(path, { 'x-redmine-api-key': keys.admin });
    const isListed = async (id: string, query: string) => {
      const reply = await asAdmin(`/users.json?limit=100&${query}`);
      const { users } = (await reply.json()) as { users: { id: number; admin: boolean }[] };
      return users.find((user) => String(user.id) === id);
    };
    return {
      settings,
      weakSettings: { ...settings, API_KEY: keys.reader },
      newAccount: (n) => ({
        id: `ours-${n}`,
        username: `new${n}`,
        email: `new${n}@acme.example`,
        first_name: 'New',
        last_name: `Person${n}`,
      }),
      grants: ['Sales', 'Support'].map((name, index) => ({
        slug: 'group',
        ref: { id: String(FIRST_GROUP + index), name },
      })),
      witness: {
        exists: async (id) => (await asAdmin(`/users/${id}.json`)).ok,
        suspended: async (id) => (await isListed(id, 'status=3')) !== undefined,
        holds: async (id, slug, ref) =>
          slug === 'group'
            ? (await isListed(id, `status=&group_id=${ref}`)) !== undefined
            : (await isListed(id, 'status='))?.admin === true,
        signsIn: async ({ username }, password) => {
          const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
          return (await ask('/users/current.json', { authorization })).ok;
        },
      },
      stop,
    };
  },
} satisfies Fixture;

/** The ids of the two groups begin here. Groups and users share a sequence. */
const FIRST_GROUP = 901;

/** Writes the configuration of an instance and the program that fills its database before it serves requests. */
function configure(folder: string, keys: Record<'admin' | 'reader', string>): NodeJS.ProcessEnv {
  const write = (name: string, lines: string[]) => writeFileSync(join(folder, name), lines.join('\n'));
  for (const name of ['config', 'files', 'log', 'tmp']) mkdirSync(join(folder, name));
  const database = { adapter: 'sqlite3', database: join(folder, 'redmine.db'), timeout: 10_000 };
  write('config/database.yml', [JSON.stringify({ production: database })]);
  write('config/secret_key.txt', [randomBytes(40).toString('hex')]);
  write('Gemfile', [`eval_gemfile '${redmine}/Gemfile'`, "gem 'sqlite3'", "gem 'puma'"]);
  write('config.ru', [
    `require '${redmine}/config/environment'`,
    'ActiveJob::Base.queue_adapter = :inline',
    "ActiveRecord::Base.connection.execute('PRAGMA synchronous = OFF')",
    "ActiveRecord::Base.connection.execute('PRAGMA journal_mode = MEMORY')",
    'ActiveRecord::Migration.verbose = false',
    `ActiveRecord::MigrationContext.new('${redmine}/db/migrate', ActiveRecord::SchemaMigration).migrate`,
    'ActiveRecord::Base.descendants.each(&:reset_column_information)',
    "Redmine::DefaultData::Loader.load('en')",
    "Setting.rest_api_enabled = '1'",
    'def add(login, **fields)',
    '  user = User.new(firstname: login, lastname: "Person", mail: "#{login}@acme.example", **fields)',
    '  user.login = login',
    '  user.password = user.password_confirmation = "password of #{login}"',
    '  user.save!',
    '  user',
    'end',
    'def allow(user, key)',
    "  Token.create!(user: user, action: 'api').update_column(:value, key)",
    'end',
    `allow add('keeper', admin: true), '${keys.admin}'`,
    `allow add('reader'), '${keys.reader}'`,
    '110.times { |n| add("person#{n}", status: { 3 => 3, 4 => 2 }.fetch(n % 10, 1)) }',
    `${FIRST_GROUP}.upto(${FIRST_GROUP + 1}) do |id|`,
    `  group = Group.new(lastname: id == ${FIRST_GROUP} ? 'Sales' : 'Support')`,
    '  group.id = id',
    '  group.save!',
    `  group.users << User.where("login LIKE 'person1%'") if id == ${FIRST_GROUP}`,
    'end',
    'run RedmineApp::Application',
  ]);
  // A second Bundler, which Ruby 3.1.7 brings, does not find Debian's gems.
  const bundler = readdirSync(gems).find((name) => name.startsWith('bundler-'));
  return {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    RAILS_ENV: 'production',
    BUNDLE_GEMFILE: join(folder, 'Gemfile'),
    BUNDLER_VERSION: bundler?.slice('bundler-'.length),
    // The folder of an instance, relative to a folder of the package.
    REDMINE_INSTANCE: join('../../../../../..', folder),
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + 300_000;
  const isReady = () =>
    fetch(`${url}/users.json`).then(
      () => true,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error('Redmine ended while it started');
    if (Date.now() > until) throw new Error('Redmine did not start within 5 minutes');
    await sleep(250);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}
