import { type Field, secret, text } from '../config.ts';
import type { Document, Path } from './document.ts';

/** `${NAME}` or `${NAME:-default}` in a text of a definition. */
const PLACEHOLDER = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;
const SECRET = /pass|secret|token|key|dsn|credential/i;

/**
 * Returns a setting for each placeholder in the texts of a definition. One whose name contains "password", "secret", "token"
 * or "key", for example, is a secret.
 */
export function settingsOf(definition: unknown): Record<string, Field<string> | Field<string | undefined>> {
  const fields: Record<string, Field<string> | Field<string | undefined>> = {};
  visitTexts(definition, (value, place) => {
    for (const [, name = '', fallback] of value.matchAll(PLACEHOLDER)) {
      const description = `${place} in the definition`;
      const field = SECRET.test(name)
        ? fallback === undefined
          ? secret(description)
          : secret(description, { optional: true })
        : fallback === undefined
          ? text(description)
          : text(description, { default: fallback });
      fields[name] ??= { ...field, implied: true };
    }
  });
  return fields;
}

/** Returns a text with the values of its placeholders. `encode` is applied to each value. */
export const fill = (
  template: string,
  values: Readonly<Record<string, unknown>>,
  encode: (value: string) => string = (value) => value,
): string =>
  template.replaceAll(PLACEHOLDER, (_, name: string, fallback: string | undefined) =>
    encode(String(values[name] ?? fallback ?? '')),
  );

/**
 * Returns an error for each place of a definition that should have a placeholder and has a secret. Everyone who may read the
 * definition could read the secret.
 */
export const literalSecrets = (
  document: Pick<Document<unknown>, 'failure'>,
  places: readonly { path: Path; text: unknown }[],
): string[] =>
  places
    .filter(({ text }) => isLiteral(text))
    .map(({ path }) => {
      const place = path.join('.');
      return document.failure(
        path,
        `${place} has a secret that everyone who may read the definition can see; write \${NAME} instead, and set its value`,
      ).message;
    });

/** Whether no placeholder without a default gives a text its value. */
function isLiteral(text: unknown): boolean {
  if (text === undefined || text === null || text === '') return false;
  return ![...String(text).matchAll(PLACEHOLDER)].some(([, , fallback]) => !fallback);
}

/** Calls `visit` with each text and its place, such as `auth.basic.username`. */
function visitTexts(value: unknown, visit: (text: string, place: string) => void, path: string[] = []): void {
  if (typeof value === 'string') visit(value, path.join('.'));
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) visitTexts(each, visit, [...path, key]);
}
