import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const COST = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const KEY_BYTES = 64;

/** `salt:key` in hex, by scrypt with the parameters that better-auth uses, so that its sign-in can read it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  const derive = promisify<string, string, number, typeof COST, Buffer>(scrypt);
  const key = await derive(password.normalize('NFKC'), salt, KEY_BYTES, COST);
  return `${salt}:${key.toString('hex')}`;
}
