import { useState } from 'react';
import { useHasUnsaved } from './unsaved.ts';

/** Returns the newest data, except while a form has unsaved input: another person's change must not discard it. */
export function useEdited<T>(data: T): T {
  const isUnsaved = useHasUnsaved();
  const [edited, setEdited] = useState(data);
  if (isUnsaved) return edited;
  if (edited !== data) setEdited(data);
  return data;
}
