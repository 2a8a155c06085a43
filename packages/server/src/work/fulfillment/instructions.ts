import { ACTIONS, type Action, type Task } from '#work/provisioning/task.ts';
import { fulfillmentRefusals } from './sentences.ts';

/** Texts for fulfillers by action, with placeholders such as {{email}}. */
export type Instructions = Partial<Record<Action, string>>;

const names = (task: Task, added: boolean) =>
  task.changes
    .filter((change) => change.added === added)
    .map(({ name, id }) => name || id)
    .join(', ');

const PLACEHOLDERS: Record<string, (task: Task) => string> = {
  app: ({ app_name }) => app_name,
  account_id: ({ external_id }) => external_id ?? '',
  email: ({ email }) => email,
  username: ({ username }) => username,
  first_name: ({ first_name }) => first_name,
  last_name: ({ last_name }) => last_name,
  added: (task) => names(task, true),
  removed: (task) => names(task, false),
};

export const PLACEHOLDER_NAMES = Object.keys(PLACEHOLDERS);

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** Throws 400 for an unknown placeholder. */
export function requireKnownPlaceholders(instructions: Instructions): void {
  for (const action of ACTIONS) {
    for (const [, name = ''] of (instructions[action] ?? '').matchAll(PLACEHOLDER)) {
      if (!Object.hasOwn(PLACEHOLDERS, name))
        throw fulfillmentRefusals.placeholder_unknown({
          action,
          name: `{{${name}}}`,
          placeholders: PLACEHOLDER_NAMES.map((one) => `{{${one}}}`),
        });
    }
  }
}

/** Returns the instructions for a task as plain text, with the values of the task. */
export const instructionsFor = (instructions: Instructions, task: Task): string | null => {
  const text = instructions[task.action];
  if (text === undefined || text.trim() === '') return null;
  // A value that looks like a placeholder is not replaced again.
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => PLACEHOLDERS[name]?.(task) ?? whole);
};
