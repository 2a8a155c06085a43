// Before the first paint: the colour scheme that this browser has chosen, else the system's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('gatehouse-scheme');
  } catch {
    // Storage is closed to us: the system's scheme it is.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
