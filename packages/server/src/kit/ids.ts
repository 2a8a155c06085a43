const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether `text` is an RFC 9562 UUID of any version (D3). */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text);
