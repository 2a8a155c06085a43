import type { Answer } from '../../api/client.ts';
import { serverText } from '../../language/server-text.ts';

type Reasoned = Pick<Answer<'/api/tasks/{task_id}/'>, 'reason' | 'reason_code' | 'reason_values'>;

/** Returns why a task was created, empty if nobody said. */
export const reasonText = ({ reason, reason_code: code, reason_values: values }: Reasoned): string =>
  serverText({ code, values, text: reason ?? '' });

type Explained = Pick<Answer<'/api/tasks/{task_id}/'>, 'explanation'>;

/** Returns why a task failed, ended early or waits, and what can be done about it. */
export function explanationOf({
  explanation,
}: Explained): { happened: string; advice: string | null } | null {
  if (explanation === null) return null;
  const { happened, advice, code, values, advice_code, advice_values } = explanation;
  return {
    happened: serverText({ code, values, text: happened }),
    advice: advice && serverText({ code: advice_code, values: advice_values, text: advice }),
  };
}

/** Returns the explanation as one text, empty if there is none. */
export function explanationText(task: Explained): string {
  const explanation = explanationOf(task);
  return [explanation?.happened, explanation?.advice].filter(Boolean).join(' ');
}
