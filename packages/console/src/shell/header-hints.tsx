import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';

/** The tooltips of the header's buttons. Loaded after the page, because they need much code. */
export function HeaderHints() {
  const [targets, setTargets] = useState<HTMLElement[]>([]);
  useEffect(() => {
    const find = () => setTargets([...document.querySelectorAll<HTMLElement>('header [data-hint]')]);
    find();
    // The bell appears when the person is known, and labels change.
    const observer = new MutationObserver(find);
    const header = document.querySelector('header');
    if (header !== null)
      observer.observe(header, { childList: true, subtree: true, attributeFilter: ['aria-label'] });
    return () => observer.disconnect();
  }, []);
  return targets.map((target) => (
    <Tooltip key={target.dataset.hint} target={target} label={target.ariaLabel} />
  ));
}
