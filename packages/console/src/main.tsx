import './theme/styles.ts';
import { startLanguage } from './language/language.ts';

await startLanguage();
await import('./app.tsx');
