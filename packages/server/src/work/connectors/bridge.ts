import { randomBytes } from 'node:crypto';

/**
 * Returns the environment in which a process finds the bridge API of this node, under a name that only this run knows.
 * guard.ts resolves it. Settings and definitions cannot contain the name, so none of them leads to this node, whose other
 * addresses, such as /metrics, are not for the public.
 */
export function bridgeVariables(url: string): Record<string, string> {
  const { origin } = new URL(url);
  const named = new URL(url);
  named.hostname = `${randomBytes(16).toString('hex')}.internal`;
  return { GATEHOUSE_URL: named.href, GATEHOUSE_BRIDGE: origin };
}
