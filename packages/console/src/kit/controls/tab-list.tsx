import { Tabs, type TabsListProps } from '@mantine/core';
import { useEffect, useRef } from 'react';

/** The tabs of a page. On a phone, they are in one line that scrolls to the current tab. */
export function TabList({ current, ...props }: TabsListProps & { current: string }) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[role=tab][id$="-tab-${current}"]`);
    if (!tab || !list.current) return;
    const { offsetLeft, offsetWidth } = tab;
    list.current.scrollLeft = offsetLeft - (list.current.clientWidth - offsetWidth) / 2;
  }, [current]);
  return <Tabs.List ref={list} {...props} />;
}
