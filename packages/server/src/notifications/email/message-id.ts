/** Returns the Message-ID of an email (RFC 5322). A repetition of the same email has the same one. */
export const messageIdOf = (id: string): string => `<${id}@notifications.gatehouse.invalid>`;

/**
 * Returns the Message-ID of an email with a sign-in link. Each attempt has one of its own, as it has a link of its own that
 * replaces the earlier one: a mail program that shows one of two equal emails could show the one whose link no longer works.
 */
export const messageIdOfLink = ({ id, attempts }: { id: string; attempts: number }): string =>
  messageIdOf(`${id}.${attempts}`);
