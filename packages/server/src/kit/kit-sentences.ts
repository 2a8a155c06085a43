import { refusals } from './errors.ts';

export const kitRefusals = refusals({
  unavailable: {
    database_stopped: 'The embedded database has stopped.',
    database_unavailable: 'The database is unavailable. Try again later.',
    database_disk_full:
      'The disk of the database is full. Try again after the operator has freed some space.',
    reading_other_files: 'The server is reading other files. Try again in a minute.',
    reading_large_requests: 'The server is reading other large requests. Try again in a moment.',
    server_busy: 'The server is busy. Try again in a moment.',
    request_too_slow: 'The server could not process the request within {seconds} seconds.',
  },
  invalid: {
    text_unstorable: 'The request contains characters that cannot be stored, such as NUL. Remove them.',
    no_such_time: 'The request contains a date or time that does not exist. Correct it.',
    moment_past: '{field} must not be more than one day in the past. Give the next time instead.',
    moment_before_today: '{field} must not be before today ({today}).',
    moment_too_far: '{field} must be at most {years} years from now.',
  },
  too_large: {
    request_needs_memory: 'The request needs more memory than the server allows. Split the request.',
  },
});
