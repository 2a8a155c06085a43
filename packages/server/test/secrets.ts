import { parseSecretKey } from '#kit/secrets/secret-key.ts';
import { openSecrets } from '#kit/secrets/secrets.ts';

/** The secret key of all test databases. */
export const SECRET_KEY = 'dGhlIHNlY3JldCBrZXkgb2YgYWxsIHRoZSB0ZXN0cy4=';

const current = parseSecretKey(SECRET_KEY);
if (current === undefined) throw new Error('The secret key of the tests is malformed.');

export const secrets = openSecrets({ current, old: [] });
