/** Hashes a password for storage. Loads the library with the first password, as context.ts loads better-auth. */
export async function hashPassword(password: string): Promise<string> {
  return (await import('better-auth/crypto')).hashPassword(password);
}

export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  return (await import('better-auth/crypto')).verifyPassword({ hash, password });
}
