// Runs before the first paint: the color scheme that the console saved in this browser, or else the system's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('gatehouse-scheme');
  } catch {
    // Storage is not available: use the system's scheme.
  }
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.scheme = chosen;
})();
