/** Returns the Message-ID of an email (RFC 5322). A repetition of the same email has the same one. */
export const messageIdOf = (id: string): string => `<${id}@notifications.gatehouse.invalid>`;

/**
 * Returns the Message-ID of an email with a sign-in link. It differs for each attempt because the link does: a mail program
 * that shows one of two emails with the same ID could show the one whose link no longer works.
 */
export const messageIdOfLink = ({ id, attempts }: { id: string; attempts: number }): string =>
  messageIdOf(`${id}.${attempts}`);
