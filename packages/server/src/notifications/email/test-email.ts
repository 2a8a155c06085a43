import { randomUUID } from 'node:crypto';
import { findIdentity } from '../../identity/person.ts';
import type { Principal } from '../../identity/principal.ts';
import type { Db } from '../../platform/database/open.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { letterOf } from './layout.ts';
import type { Mailer } from './mailer.ts';
import { messageIdOf } from './message-id.ts';

/** Sends a test email to the caller at once. Throws 409 if emails are not configured. */
export async function sendTestEmail(
  { db, mailer }: { db: Db; mailer: Mailer | undefined },
  { orgId, orgSlug, userId }: Principal,
): Promise<{ delivered: boolean; reason: string | null }> {
  if (mailer === undefined) throw notConfigured();
  const person = await findIdentity(db, orgId, userId);
  if (person === undefined) throw notFound('User');
  const message = { title: 'This is a test', body: 'Gatehouse can send you emails.', link: null };
  const letter = letterOf([message], { organization: orgSlug, isDigest: false, preferences: null });
  const outcome = await mailer.send({
    ...letter,
    messageId: messageIdOf(randomUUID()),
    to: person.email,
    preferences: null,
  });
  return { delivered: outcome.ok, reason: outcome.ok ? null : outcome.reason };
}

const notConfigured = () =>
  conflict(
    'Emails are not configured. Ask the operator to set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM (docs/notifications.md).',
  );
