// Sets the color scheme before the first paint: the one saved in this browser, or else the system's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('gatehouse-scheme');
  } catch {
    // Storage is not available: use the system's scheme.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
