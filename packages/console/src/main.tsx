import './theme/styles.ts';
import { startLanguage } from './language/language.ts';

startLanguage();
// The app imports from the file that this is in, so this must not wait for it.
import('./app.tsx').catch((error: unknown) => {
  // public/start.js fetches a missing file and starts again.
  if (dispatchEvent(new CustomEvent('gatehouse-failed', { detail: error, cancelable: true }))) throw error;
});
