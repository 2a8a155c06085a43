import { Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { ApiError, detailOf } from '../api/error.ts';
import classes from './condition-field.module.css';

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  /** What it is a condition of: that says which variables there are. */
  of: 'policy' | 'review';
  value: string;
  set: (value: string) => void;
  minRows?: number;
}

const TYPING_MS = 300;

/** A condition in CEL; the server checks it while it is written, and what is wrong is marked where it is. */
export function ConditionField({ of, value, set, minRows = 2, ...field }: Props) {
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
        error={current && check.isError && wordsOf(check.error)}
      />
      {place !== undefined && <Marked text={value} {...place} />}
      <p className={classes.sound} role="status">
        {current && check.isSuccess && '✓ The server understands it.'}
      </p>
    </div>
  );
}

interface Place {
  line: number;
  column: number;
  why: string;
}

/** The line that is wrong, with a mark under the place. */
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
  return place === undefined ? detailOf(error) : `Line ${place.line}, column ${place.column}: ${place.why}`;
}

const PLACE = /at line (\d+), column (\d+): (.*)$/s;

/** Where a condition is wrong, as its refusal says. */
function placeOf(error: unknown): Place | undefined {
  const [, line, column, why] = (error instanceof ApiError && PLACE.exec(error.detail)) || [];
  return why === undefined ? undefined : { line: Number(line), column: Number(column), why };
}
