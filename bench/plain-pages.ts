import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/**
 * A server without Gatehouse, as a process of its own: it replies to every request with the page that one statement returns. It is the
 * floor for a page through HTTP.
 */
const { url, statement, connections } = JSON.parse(process.env.PLAIN_PAGES ?? '{}') as {
  url: string;
  statement: pg.QueryConfig;
  connections: number;
};
const pool = new pg.Pool({ connectionString: url, max: connections });
const server = createServer(async (_request, response) => {
  const { rows } = await pool.query<{ results: string }>(statement);
  const body = `{"results":[${rows[0]?.results ?? ''}]}`;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
