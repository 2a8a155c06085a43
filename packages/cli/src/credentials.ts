import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export type Login = { url: string; key: string };
type Environment = Readonly<Record<string, string | undefined>>;
/** What the file holds: the key itself only where there is no keyring. */
type Kept = { url: string; key?: string };

const service = 'gatehouse';

export function loginFile(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'gatehouse', 'login.json');
}

/** Keeps the key in the system's keyring, or in a file that only its owner may read. Says where. */
export async function remember(
  { url, key }: Login,
  env: Environment,
  useKeyring: boolean,
): Promise<'keyring' | 'file'> {
  const entry = useKeyring ? await keyring(url) : undefined;
  const where = entry && tryTo(() => entry.setPassword(key)) ? 'keyring' : 'file';
  const kept: Kept = where === 'keyring' ? { url } : { url, key };
  const file = loginFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
  // An existing file keeps its mode when written.
  await chmod(file, 0o600);
  return where;
}

export async function recall(env: Environment): Promise<Login | undefined> {
  const kept = await readKept(env);
  if (!kept) return undefined;
  const key = kept.key ?? (await fromKeyring(kept.url));
  return key ? { url: kept.url, key } : undefined;
}

export async function forget(env: Environment): Promise<boolean> {
  const kept = await readKept(env);
  if (!kept) return false;
  const entry = kept.key === undefined ? await keyring(kept.url) : undefined;
  if (entry) tryTo(() => entry.deletePassword());
  await rm(loginFile(env), { force: true });
  return true;
}

async function readKept(env: Environment): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(loginFile(env), 'utf8')) as Partial<Kept>;
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

/** Undefined where the optional package, or the platform's keyring, is not there. */
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
