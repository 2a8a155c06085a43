const LOCAL_PART = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}$/u;
const DOMAIN = /^[^\s@<>()[\]\\,;:"\p{Cc}.]+(?:\.[^\s@<>()[\]\\,;:"\p{Cc}.]+)*$/u;
const LONGEST_DOMAIN = 255;

/**
 * Whether a text is one email address, to which Gatehouse may send and by which it may recognize somebody: without a display name, angle
 * brackets, quotes, a comment, a scheme, a second address, or an empty part of its domain. Systems may call anything an email, and the
 * emails of accounts are kept as they are (protocol 2.5).
 */
export function isEmail(text: string): boolean {
  const at = text.indexOf('@');
  const domain = text.slice(at + 1);
  return (
    at > 0 && LOCAL_PART.test(text.slice(0, at)) && domain.length <= LONGEST_DOMAIN && DOMAIN.test(domain)
  );
}

/** Whether a text resembles an email, as other systems write them. Gatehouse keeps it, but it need not be an address of anybody. */
export const resemblesEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);
