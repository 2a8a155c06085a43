import { i18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';
import { plainText } from '../../../protocol/src/hidden-characters.ts';
import { readTags } from './tags.ts';

/** The name of a language in that language. Texts are not loaded yet. */
const nameOf = (tag: string) => new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;

export const LANGUAGES = { en: nameOf('en'), de: nameOf('de') } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'gatehouse-language';
const isLanguage = (tag: string | undefined): tag is Language => tag !== undefined && tag in LANGUAGES;
const languageOf = (tag: string) => tag.split('-', 1)[0];
const wanted = readTags(navigator.languages ?? [navigator.language]);

/** The language that was chosen in this browser, or else the first of the browser's that we have. */
export const language: Language = chosen() ?? wanted.map(languageOf).find(isLanguage) ?? 'en';

/** The tag for dates and numbers, such as en-GB: the browser's, if it is one of our language. */
export const formatTag: string = wanted.find((tag) => languageOf(tag) === language) ?? language;

function chosen(): Language | undefined {
  try {
    const saved = localStorage.getItem(KEY) ?? undefined;
    return isLanguage(saved) ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** Shows the console in another language from now on. Texts are read when their file is loaded, so the page loads again. */
export function chooseLanguage(chosen: Language): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Storage is not available: the browser's language stays.
  }
  location.reload();
}

type Catalog = () => Promise<{ messages: Messages }>;
const server = import.meta.glob<{ messages: Messages }>('./server/de.po');

/** Must run before any text is translated. */
export function startLanguage(): void {
  document.documentElement.lang = language;
  // The build has compiled all messages (lingui.plugin.ts). Those without placeholders stay texts.
  i18n.setMessagesCompiler((text) => [text]);
  i18n._ = withPlainValues(i18n._.bind(i18n));
  i18n.loadAndActivate({ locale: language, messages: {} });
}

type Values = Record<string, unknown>;

/**
 * Makes the names in sentences readable: their hidden characters have codes, and words from right to left do not reorder the sentence.
 */
function withPlainValues(translate: typeof i18n._): typeof i18n._ {
  const plain = (values: Values = {}) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? plainText(value, { lines: true }) : value,
      ]),
    );
  const words = (given: string | MessageDescriptor, values?: Values, options?: MessageOptions) =>
    typeof given === 'string'
      ? translate(given, plain(values), options)
      : translate({ ...given, values: plain(given.values) });
  return words as typeof translate;
}

async function load(catalog: Catalog | undefined): Promise<void> {
  if (catalog !== undefined) i18n.load(language, (await catalog()).messages);
}

let loadWords: () => Promise<unknown> = async () => {};
/** Sets how to load the words for values in sentences of the server. English sentences have them. */
export function declareServerWords(load: typeof loadWords): void {
  loadWords = load;
}

const sentences = server[`./server/${language}.po`];
let loadedServer: Promise<unknown> | undefined;

/** Loads the sentences of the server once, by their codes. Must end before serverText translates one. A failure is forgotten. */
export async function loadServerTexts(): Promise<void> {
  if (sentences === undefined) return;
  loadedServer ??= Promise.all([load(sentences), loadWords()]).catch((error: unknown) => {
    loadedServer = undefined;
    throw error;
  });
  await loadedServer;
}

/**
 * Loads a file after its texts, because they may be constants in it.
 * @public The build adds this to each import on demand (texts.plugin.ts).
 */
export async function withTexts<T>(
  texts: Partial<Record<Language, Catalog>>,
  showsServer: boolean,
  file: () => Promise<T>,
): Promise<T> {
  await Promise.all([load(texts[language]), showsServer && loadServerTexts()]);
  return file();
}
