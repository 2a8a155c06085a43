import { refusals } from '#kit/errors.ts';

export const holdRefusals = refusals({
  conflict: {
    hold_decided: 'This hold was already {status}.',
  },
});
