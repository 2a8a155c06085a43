/** Returns the Message-ID of an email (RFC 5322). A repetition of the same email has the same one. */
export const messageIdOf = (id: string): string => `<${id}@notifications.gatehouse.invalid>`;
