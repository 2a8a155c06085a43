import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { ApiError, detailOf, issueWords } from '../api/error.ts';
import classes from './condition-field.module.css';

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  /** An error of the form, shown unless the check finds one. */
  error?: ReactNode;
  /** The owner of the condition, which determines the available variables. */
  of: 'policy' | 'review';
  value: string;
  set: (value: string) => void;
  minRows?: number;
}

const TYPING_MS = 300;

/** A condition as text, in CEL. The server checks it while the person types, and the field marks where it is wrong. */
export function ConditionText({ of, value, set, minRows = 2, error, ...field }: Props) {
  const [condition] = useDebouncedValue(value, TYPING_MS);
  const check = useQuery({
    queryKey: ['condition', of, condition],
    queryFn: ({ signal }) => ok(api.POST('/api/policies/check/', { body: { condition, of }, signal })),
    enabled: condition.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  const current = condition === value && value.trim() !== '';
  const place = current ? placeOf(check.error) : undefined;
  return (
    <div className={classes.field}>
      <Textarea
        {...field}
        value={value}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        autosize
        minRows={minRows}
        maxLength={2000}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        error={current && check.isError ? wordsOf(check.error) : error}
      />
      {place !== undefined && <Marked text={value} {...place} />}
      <p className={classes.valid} role="status">
        {current && check.isSuccess && t`✓ Valid expression`}
      </p>
    </div>
  );
}

/** A mistake in a condition, in the errors of a response. */
interface CelIssue {
  code: string;
  values?: unknown;
  message: string;
  position?: { line: number; column: number };
}

interface Place {
  line: number;
  column: number;
  why: string;
}

/** The invalid line with a mark under the error. */
function Marked({ text, line, column }: Place & { text: string }) {
  return (
    <pre className={classes.place} aria-hidden>
      {text.split('\n')[line - 1]}
      {'\n'}
      {' '.repeat(column - 1)}
      <mark>^</mark>
    </pre>
  );
}

function wordsOf(error: unknown): string {
  const place = placeOf(error);
  if (place === undefined) return detailOf(error);
  const { line, column, why } = place;
  return t`Line ${line}, column ${column}: ${why}`;
}

/** Returns the position of the mistake in the condition. */
function placeOf(error: unknown): Place | undefined {
  const { errors } = error instanceof ApiError ? (error.body as { errors?: CelIssue[] }) : {};
  const issue = errors?.find(({ code }) => code === 'cel');
  return issue?.position === undefined ? undefined : { ...issue.position, why: issueWords(issue) };
}
