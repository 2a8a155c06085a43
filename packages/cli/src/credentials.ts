import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The address of a service and the API key to use with it. */
export type Login = { url: string; key: string };
type Environment = Readonly<Record<string, string | undefined>>;
/** The content of the login file. It holds the key only if there is no keyring. */
type LoginFile = { url: string; key?: string };

const service = 'gatehouse';

export function loginFile(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'gatehouse', 'login.json');
}

/** Saves the key in the system's keyring or in a file that only its owner may read, and returns where. */
export async function saveLogin(
  { url, key }: Login,
  env: Environment,
  useKeyring: boolean,
): Promise<'keyring' | 'file'> {
  const entry = useKeyring ? await keyring(url) : undefined;
  const where = entry && tryTo(() => entry.setPassword(key)) ? 'keyring' : 'file';
  const content: LoginFile = where === 'keyring' ? { url } : { url, key };
  const file = loginFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  // writeFile keeps the mode of an existing file.
  await chmod(file, 0o600);
  return where;
}

/** Returns the saved login, or undefined if there is none. */
export async function readLogin(env: Environment): Promise<Login | undefined> {
  const kept = await readLoginFile(env);
  if (!kept) return undefined;
  const key = kept.key ?? (await fromKeyring(kept.url));
  return key ? { url: kept.url, key } : undefined;
}

/** Deletes the saved login. Returns false if there was none. */
export async function deleteLogin(env: Environment): Promise<boolean> {
  const kept = await readLoginFile(env);
  if (!kept) return false;
  const entry = kept.key === undefined ? await keyring(kept.url) : undefined;
  if (entry) tryTo(() => entry.deletePassword());
  await rm(loginFile(env), { force: true });
  return true;
}

async function readLoginFile(env: Environment): Promise<LoginFile | undefined> {
  try {
    const kept = JSON.parse(await readFile(loginFile(env), 'utf8')) as Partial<LoginFile>;
    return typeof kept.url === 'string' ? { ...kept, url: kept.url } : undefined;
  } catch {
    return undefined;
  }
}

async function fromKeyring(url: string): Promise<string | undefined> {
  const entry = await keyring(url);
  let key: string | null | undefined;
  tryTo(() => {
    key = entry?.getPassword();
  });
  return key ?? undefined;
}

/** Returns undefined if the optional package or the platform's keyring is missing. */
async function keyring(url: string) {
  try {
    const { Entry } = await import('@napi-rs/keyring');
    return new Entry(service, url);
  } catch {
    return undefined;
  }
}

function tryTo(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
