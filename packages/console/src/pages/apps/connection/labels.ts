const UPPER = /^(url|dn|ca|db|id|api|tls|org)$/i;

/** Returns the label of a setting or a field: "Bind DN" for bindDn, "Client secret" for CLIENT_SECRET. */
export function settingLabel(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((word) => (UPPER.test(word) ? word.toUpperCase() : word));
  return sentenceStart(words.join(' '));
}

export const sentenceStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Begins with a capital letter, unless with the scheme of an address, and ends with a period. */
export function sentence(text: string): string {
  const line = text.trim();
  const begun = /^\w+:\/\//.test(line) ? line : sentenceStart(line);
  return `${begun}${/[.!?]$/.test(line) ? '' : '.'}`;
}

/** Returns the description of a setting, which one from a definition does not have. */
export const settingAbout = (description: string): { description?: string } =>
  description === '' ? {} : { description: sentence(description) };

/** The text of a certificate or a private key has lines, which a password field would join. */
export const hasLines = (name: string) => /^ca$|certificate|private_?key/i.test(name);
