import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// The hash of a password takes 32 MB and a tenth of a second by design, and tests sign in thousands of times with the same
// passwords. A worker computes each hash once.
const known = new Map<string, Buffer>();
const scrypt = crypto.scrypt as (...args: Parameters<typeof compute>) => void;

function compute(
  password: string,
  salt: string,
  length: number,
  options: object,
  done: (error: Error | null, hash: Buffer) => void,
): void {
  const asked = JSON.stringify([password, salt, length, options]);
  const hash = known.get(asked);
  if (hash === undefined)
    scrypt(password, salt, length, options, (error, computed) => {
      if (error === null) known.set(asked, computed);
      done(error, computed);
    });
  else setImmediate(done, null, hash);
}

crypto.scrypt = compute as typeof crypto.scrypt;
syncBuiltinESMExports();
