// Fails a file whose transactions lock rows in another order than the server states (lock-recorder.ts).
import { afterAll, expect } from 'vitest';
import { startComparing, takeViolations } from './lock-recorder.ts';

startComparing();
afterAll(() => {
  expect(takeViolations().join('\n\n')).toBe('');
});
