/** Returns whether a key press belongs to a field, a dialog or the browser rather than to a shortcut. */
export function typing(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (document.querySelector('[role="dialog"]') !== null) return true;
  return (
    target !== null &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}
