import pg from 'pg';
import { StartError } from '../errors.ts';
import { connectFailure, type Target } from './connect-failure.ts';

/** A server that is there responds in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Runs `work` on a connection of its own. Throws StartError if there is none, which names the setting with the address. */
export async function onFirstConnection<T>(
  setting: string,
  url: string,
  work: (client: pg.Client) => Promise<T>,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const client = clientFor(setting, url, timeoutMs);
  // Without a listener, a connection that breaks ends the process. Its statement fails and says why.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw connectFailure(error, targetOf(setting, client));
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

function clientFor(setting: string, url: string, timeoutMs: number): pg.Client {
  try {
    return new pg.Client({
      connectionString: url,
      application_name: 'gatehouse',
      connectionTimeoutMillis: timeoutMs,
    });
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'ERR_INVALID_URL'
        ? `${setting} is not a valid address. Encode special characters of the user name and the password, such as %23 for #.`
        : `${setting} is not valid: ${path === undefined ? message : `the file ${path} cannot be read`}. Correct it.`,
    );
  }
}

const targetOf = (setting: string, { host, port, user = '', database = '' }: pg.Client): Target => ({
  setting,
  host,
  port,
  user,
  database,
});
