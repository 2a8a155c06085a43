/**
 * Returns the language tags of a browser that Intl understands, in their usual form. A browser can take its languages from a
 * system's locales, such as "de_DE.UTF-8", "en-US@posix" or "C", and Intl throws an error for these.
 */
export function readTags(given: readonly unknown[]): string[] {
  return given.flatMap((tag) => {
    try {
      return Intl.getCanonicalLocales(
        String(tag)
          .replace(/[.@].*$/, '')
          .replaceAll('_', '-'),
      );
    } catch {
      return [];
    }
  });
}
