import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, ok, useChange } from '../../../api/client.ts';
import { ApiError, detailOf } from '../../../api/error.ts';
import classes from './connection.module.css';
import { type Setting, settingsOf } from './setting.ts';

export interface Checked {
  definition: string;
  settings: Setting[];
}

interface Props {
  type: string;
  initial: string;
  /** Called with a definition that the server accepts. */
  accept: (checked: Checked) => void;
  action: string;
}

const NAME = 'NAME';
const placeholder = `\${${NAME}}`;

/** Takes a definition in YAML. The server checks it, and lists each mistake with its line and column. */
export function DefinitionEditor({ type, initial, accept, action }: Props) {
  const [text, setText] = useState(initial);
  const check = useChange(
    (definition: string) => ok(api.POST('/api/connectors/check/', { body: { type, definition } })),
    { showFailure: false },
  );
  const submit = () =>
    check.mutate(text, {
      onSuccess: ({ settings }) => accept({ definition: text, settings: settingsOf(settings) }),
    });
  return (
    <Stack gap="sm">
      <Textarea
        label={t`Definition`}
        description={t`YAML that says how to list the accounts, groups and licenses, and how to carry out tasks. Write ${placeholder} for each setting, such as an address or a password.`}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        classNames={{ input: classes.yaml }}
        rows={18}
        maxLength={200_000}
        spellCheck={false}
        error={check.isError}
        required
      />
      {check.isError && (
        <Alert color="red" role="alert" title={t`This definition cannot be used`}>
          <Text size="sm" className={classes.problems}>
            {problemsOf(check.error)}
          </Text>
        </Alert>
      )}
      <Group>
        <Button onClick={submit} loading={check.isPending} disabled={text.trim() === ''}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}

/** Returns "Line 3, column 7: …" instead of "definition.yml:3:7: …". */
const problemsOf = (error: unknown) => {
  const body = error instanceof ApiError ? (error.body as { values?: { problem?: unknown } }) : {};
  const { problem } = body.values ?? {};
  const text = typeof problem === 'string' ? problem : detailOf(error);
  return text.replace(
    /\S*\.ya?ml:(\d+):(\d+):/g,
    (_, line: string, column: string) => t`Line ${line}, column ${column}:`,
  );
};
