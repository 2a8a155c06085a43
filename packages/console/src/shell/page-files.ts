import { onDemand } from '../kit/browser/files.ts';
import { loadPageTexts } from '../language/language.ts';

/** Wraps the import of a page's file. Its texts are loaded first. */
export const pageFile = <T>(file: () => Promise<T>): (() => Promise<T>) =>
  onDemand(() => loadPageTexts().then(file));
