// Runs a Citus cluster of a coordinator and two workers: prints the nodes' addresses as JSON, obeys the lines `kill N` and
// `start N`, and when standard input ends, stops the nodes and removes their folder. citus.ts starts this process.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../connector/src/conformance/port.ts';

const [programs = '', parent = '', ...settings] = process.argv.slice(2);
/** PostgreSQL refuses to run as root, and a container often has no other user. */
const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined;
const folder = await mkdtemp(join(parent, 'gatehouse-citus-'));
if (user !== undefined) await chown(folder, user.uid, user.gid);

interface Node {
  data: string;
  port: number;
}
const nodes: Node[] = [];

try {
  for (const name of ['coordinator', 'worker1', 'worker2']) {
    const node = { data: join(folder, name), port: await freePort() };
    await initialize(node);
    await start(node);
    nodes.push(node);
  }
  answer(JSON.stringify(nodes.map(({ port }) => `postgresql://gatehouse@127.0.0.1:${port}/postgres`)));
  for await (const line of createInterface(process.stdin)) {
    const [order, number] = line.split(' ');
    const node = nodes[Number(number)] as Node;
    if (order === 'kill') process.kill(await pidOf(node), 'SIGKILL');
    else await start(node);
    answer('done');
  }
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
} finally {
  for (const { data } of nodes) await run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']).catch(() => {});
  await rm(folder, { recursive: true, force: true });
}

async function initialize({ data, port }: Node) {
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await run('initdb', ['-D', data, '-U', 'gatehouse', '-A', 'trust', ...encoding]);
  const lines = [
    `shared_preload_libraries = 'citus'`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    `port = ${port}`,
    'max_connections = 300',
    'max_prepared_transactions = 300',
    // Handshakes cost more than the statements of most tests.
    `citus.node_conninfo = 'sslmode=disable'`,
    ...settings,
  ];
  await appendFile(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
}

/** Tries for some seconds: the processes of a killed server end one after the other. */
async function start({ data }: Node) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run('pg_ctl', ['-D', data, '-l', `${data}.log`, '-w', 'start']);
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(500);
    }
  }
}

async function run(program: string, parameters: string[]) {
  const child = spawn(join(programs, 'bin', program), parameters, {
    ...user,
    // The nodes connect to each other, and would look for certificates in the home of the user who runs the tests.
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} failed.`);
}

async function pidOf({ data }: Node): Promise<number> {
  return Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function answer(line: string) {
  process.stdout.write(`${line}\n`);
}

function unprivilegedUser(): { uid: number; gid: number } {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}
