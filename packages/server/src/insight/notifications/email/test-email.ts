import { randomUUID } from 'node:crypto';
import type { Db } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, findIdentity } from '#kit/identity.ts';
import { notificationRefusals } from '../sentences.ts';
import { letterOf } from './layout.ts';
import type { Mailer } from './mailer.ts';
import { messageIdOf } from './message-id.ts';

/** Sends a test email to the caller immediately. Throws 409 if emails are not configured. */
export async function sendTestEmail(
  { mailer }: { db: Db; mailer: Mailer | undefined },
  call: Call,
): Promise<{ delivered: boolean; reason: string | null }> {
  if (mailer === undefined) throw notConfigured();
  const person = await findIdentity(call, call.principal.userId);
  if (person === undefined) throw notFound('Person');
  const message = { title: 'This is a test', body: 'Gatehouse can send you emails.', link: null };
  const letter = letterOf([message], {
    organization: call.principal.orgSlug,
    isDigest: false,
    preferences: null,
  });
  const outcome = await mailer.send({
    ...letter,
    messageId: messageIdOf(randomUUID()),
    to: person.email,
    preferences: null,
  });
  return { delivered: outcome.ok, reason: outcome.ok ? null : outcome.reason };
}

const notConfigured = () => notificationRefusals.email_not_configured();
