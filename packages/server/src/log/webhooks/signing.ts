import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { OrgDb } from '#kit/database.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';

/** Signing secrets as Standard Webhooks 1.0 defines them: `whsec_` and base64. */

const SECRET_BYTES = 32;

export const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

const purpose = (webhookId: string) => `webhook.secret:${webhookId}`;

export const sealSecret = (org: OrgDb, secrets: Secrets, id: string, secret: string) =>
  secrets.seal(org, purpose(id), Buffer.from(secret));

export interface SealedSecrets {
  sealed_secret: string;
  /** Null unless the previous secret is still valid. */
  sealed_previous_secret: string | null;
}

/** Returns the secrets that sign a webhook's deliveries at present, the current one first. */
export async function openSigningSecrets(
  org: OrgDb,
  secrets: Secrets,
  id: string,
  { sealed_secret, sealed_previous_secret }: SealedSecrets,
): Promise<string[]> {
  const sealed = [sealed_secret, sealed_previous_secret].filter((one) => one !== null);
  const opened = await Promise.all(sealed.map((one) => secrets.open(org, purpose(id), one)));
  return opened.map((secret) => secret.toString());
}

/** Returns the headers of a message that is sent now. Each secret adds a signature. */
export function signedHeaders(
  secrets: readonly string[],
  { id, body }: { id: string; body: string },
): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}
