const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any RFC 9562 UUID, whatever its version (D3). */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text);
