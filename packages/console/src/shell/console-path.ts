/**
 * The path below which this console is served: empty, or `/org/<slug>`. The server fills it in when it sends the page.
 * The router adds it to all addresses, so only addresses that leave the router need it.
 */
export const consolePath =
  document.querySelector<HTMLMetaElement>('meta[name="gatehouse-base"]')?.content ?? '';
