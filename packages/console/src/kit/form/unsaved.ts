import { createContext, use, useEffect, useId, useSyncExternalStore } from 'react';

const forms = new Set<string>();
const listeners = new Set<() => void>();

function mark(form: string, isUnsaved: boolean) {
  if (forms.has(form) === isUnsaved) return;
  if (isUnsaved) forms.add(form);
  else forms.delete(form);
  for (const listener of listeners) listener();
}

/** Whether a form on screen has unsaved input. */
export const hasUnsaved = () => forms.size > 0;

/** Forgets what was typed, before the page reloads with the person's consent: the browser does not ask once more. */
export function discardUnsaved(): void {
  for (const form of [...forms]) mark(form, false);
}

/** Follows hasUnsaved. */
export const useHasUnsaved = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, hasUnsaved);

/** False around forms whose input may be lost, such as a password. */
export const CountsAsUnsaved = createContext(true);

/** Asks before a page or dialog with unsaved input is left. Returns a function that marks the input as saved. */
export function useUnsaved(isUnsaved: boolean): () => void {
  const id = useId();
  const marked = use(CountsAsUnsaved) && isUnsaved;
  useEffect(() => {
    mark(id, marked);
    return () => mark(id, false);
  }, [id, marked]);
  return () => mark(id, false);
}
