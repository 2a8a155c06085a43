import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { retrying } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { grouped } from '../text/words.ts';
import classes from './bulk-job.module.css';
import { Dialog } from './dialog.tsx';

export interface Bulk<T, R = unknown> {
  /** "Retry 4,312 tasks" */
  title: string;
  /** Loads the rows to change, before the first change. */
  rows: () => Promise<T[]>;
  act: (row: T) => Promise<R>;
  /** Changes many rows in one request, all or none. If it fails, rows are changed one by one to find those that fail. */
  together?: { size: number; act: (rows: T[]) => Promise<unknown> };
  /** The row's name in the list of failures. */
  name: (row: T) => string;
  /** Returns the result of the changes, once all are over, to show in place of their number. */
  outcome?: (results: R[]) => Promise<string>;
}

interface Props<T, R> {
  /** The job, which starts as soon as it is set. */
  job: Bulk<T, R> | undefined;
  close: () => void;
}

interface State {
  total: number | undefined;
  done: number;
  failures: { name: string; detail: string }[];
  stopped: boolean;
  over: boolean;
  outcome: string;
}

const BEGIN: State = { total: undefined, done: 0, failures: [], stopped: false, over: false, outcome: '' };
/** "12 of 40 done, 2 failures. Stopped. Completed changes are kept." */
function progressWords({ total, done, failures, stopped, over, outcome }: State): string {
  if (total === undefined) return t`Loading…`;
  if (over && outcome !== '') return outcomeWords(outcome, failures.length, stopped);
  if (total === 0) return t`There is nothing to change.`;
  const [changed, all] = [grouped(done), grouped(total)];
  const words =
    failures.length === 0
      ? t`${changed} of ${all} done`
      : t`${changed} of ${all} done, ${plural(failures.length, { one: '# failure', other: '# failures' })}`;
  return stopped ? t`${words}. Stopped. Completed changes are kept.` : words;
}

/** "3 tasks created, assigned to ada@acme.example. 2 failures." */
function outcomeWords(outcome: string, failed: number, stopped: boolean): string {
  const words =
    failed === 0 ? outcome : t`${outcome} ${plural(failed, { one: '# failure.', other: '# failures.' })}`;
  return stopped ? t`${words} Stopped. Completed changes are kept.` : words;
}

const AT_ONCE = 4;
const yes = () => true;
const no = () => false;

/** Applies one change to many rows. Shows progress and each failure, and can be stopped. */
export function BulkJob<T, R>({ job, close }: Props<T, R>) {
  const [state, setState] = useState(BEGIN);
  const stop = useRef(new AbortController());
  const client = useQueryClient();

  const run = useCallback(
    async ({ rows, act, together, name, outcome }: Bulk<T, R>, signal: AbortSignal) => {
      setState(BEGIN);
      const results: R[] = [];
      const fail = (failed: string, error: unknown) =>
        setState((now) => ({
          ...now,
          failures: [...now.failures, { name: failed, detail: detailOf(error) }],
        }));
      const count = (more: number) => setState((now) => ({ ...now, done: now.done + more }));
      const changeRows = async (some: T[]) => {
        if (together !== undefined && (await retrying(() => together.act(some)).then(yes, no)))
          return count(some.length);
        for (const row of some) {
          if (signal.aborted) return;
          await retrying(() => act(row)).then(
            (result) => results.push(result),
            (error: unknown) => fail(name(row), error),
          );
          count(1);
        }
      };
      try {
        const todo = await rows();
        setState((now) => ({ ...now, total: todo.length }));
        const worker = async () => {
          while (todo.length > 0 && !signal.aborted) await changeRows(todo.splice(0, together?.size ?? 1));
        };
        await Promise.all(Array.from({ length: AT_ONCE }, worker));
      } catch (error) {
        fail(t`Loading the rows`, error);
      }
      const words =
        outcome === undefined || results.length === 0 ? '' : await outcome(results).catch(() => '');
      setState((now) => ({ ...now, over: true, stopped: signal.aborted, outcome: words }));
      void client.invalidateQueries();
    },
    [client],
  );

  useEffect(() => {
    if (job === undefined) return;
    const controller = new AbortController();
    stop.current = controller;
    // Deferred: in development React mounts twice, and the job must run once.
    const timer = setTimeout(() => void run(job, controller.signal));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [job, run]);

  const { total, done, failures, over } = state;
  return (
    <Dialog
      opened={job !== undefined}
      onClose={close}
      title={job?.title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={over}
      withCloseButton={over}
    >
      <Stack gap="sm">
        <Progress
          value={total === undefined ? 0 : (done / Math.max(1, total)) * 100}
          aria-label={t`Progress`}
        />
        <Text size="sm" role="status">
          {progressWords(state)}
        </Text>
        {failures.length > 0 && (
          <ul className={classes.failures} aria-label={t`Failures`}>
            {failures.map(({ name, detail }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: failures are only appended.
              <li key={index}>
                <strong>{name}</strong>: {detail}
              </li>
            ))}
          </ul>
        )}
        <Group justify="flex-end">
          {over ? (
            <Button onClick={close}>
              <Trans>Close</Trans>
            </Button>
          ) : (
            <Button variant="default" onClick={() => stop.current.abort()}>
              <Trans>Stop</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
