import { Textarea } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { ApiError } from '../api/error.ts';
import classes from './condition-field.module.css';

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
  value: string;
  set: (value: string) => void;
  /** What the server said to it last. */
  refused: unknown;
  minRows?: number;
}

/** A condition in CEL, with what the server finds wrong in it marked where it is. */
export function ConditionField({ value, set, refused, minRows = 2, ...field }: Props) {
  const place = placeOf(refused);
  const marked = useId();
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
        error={place === undefined ? undefined : `Line ${place.line}, column ${place.column}: ${place.why}`}
        {...(place === undefined ? {} : { 'aria-details': marked })}
      />
      {place !== undefined && <Place id={marked} text={value} {...place} />}
    </div>
  );
}

interface At {
  line: number;
  column: number;
  why: string;
}

/** The line that is wrong, with a mark under the place. */
function Place({ id, text, line, column }: At & { id: string; text: string }) {
  const wrong = text.split('\n')[line - 1] ?? '';
  return (
    <pre id={id} className={classes.place}>
      {wrong === '' ? ' ' : wrong}
      {'\n'}
      {' '.repeat(Math.max(0, column - 1))}
      <mark>^</mark>
    </pre>
  );
}

const PLACE = /at line (\d+), column (\d+): (.*)$/s;

/** Where a condition is wrong, in a refusal that says so. */
export function placeOf(error: unknown): At | undefined {
  const [, line, column, why] = (error instanceof ApiError && PLACE.exec(error.detail)) || [];
  return why === undefined ? undefined : { line: Number(line), column: Number(column), why };
}
