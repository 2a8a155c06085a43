import './theme/styles.ts';
import { startLanguage } from './language/language.ts';

try {
  await startLanguage();
  await import('./app.tsx');
} catch (error) {
  // public/start.js fetches a missing file and starts again.
  if (dispatchEvent(new CustomEvent('gatehouse-failed', { detail: error, cancelable: true }))) throw error;
}
