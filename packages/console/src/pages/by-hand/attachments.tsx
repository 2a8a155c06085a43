import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { base } from '../../api/base.ts';
import { api, notifyFailure, ok, useChange } from '../../api/client.ts';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { IconUpload } from '../../kit/icons/icons.ts';
import { grouped } from '../../kit/text/words.ts';
import classes from './by-hand.module.css';
import type { FulfillmentTask } from './by-hand-task.ts';

const LARGEST_BYTES = 10 * 1024 * 1024;

/** The files of a task. They are downloaded, never shown. */
export function Attachments({ of: { task, files, may } }: { of: FulfillmentTask }) {
  const path = { task_id: task.external_uuid };
  const forget = useRef<() => void>(null);
  const upload = useChange(
    (file: File) =>
      ok(
        api.POST('/api/fulfillment/tasks/{task_id}/attachments/', {
          params: { path, query: { name: file.name } },
          body: file as unknown as string,
          bodySerializer: (body) => body,
          headers: { 'content-type': 'application/octet-stream' },
        }),
      ),
    { success: t`File attached`, after: () => forget.current?.() },
  );
  if (files.length === 0 && !may.attach) return null;
  return (
    <Section title={t`Attachments`}>
      <ul className={classes.files}>
        {files.map(({ external_uuid: id, name, size, uploaded_by, uploaded_at }) => (
          <li key={id}>
            <a
              href={`${base}/api/fulfillment/tasks/${task.external_uuid}/attachments/${id}/`}
              download={name}
            >
              {name}
            </a>
            <Text component="span" size="sm" c="dimmed">
              <About
                kibibytes={grouped(Math.max(1, Math.round(size / 1024)))}
                author={uploaded_by.email}
                at={uploaded_at}
              />
            </Text>
          </li>
        ))}
      </ul>
      {may.attach && (
        <Group gap="sm">
          <FileButton
            resetRef={forget}
            onChange={(file) => {
              if (file === null) return;
              if (file.size > LARGEST_BYTES)
                notifyFailure(new Error(t`The file is larger than 10 MiB. Choose a smaller file.`));
              else upload.mutate(file);
            }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={upload.isPending}
                leftSection={<IconUpload size={15} aria-hidden />}
              >
                {t`Attach file`}
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            {t`Up to 10 files of 10 MiB each`}
          </Text>
        </Group>
      )}
    </Section>
  );
}

function About({ kibibytes, author, at }: { kibibytes: string; author: string; at: string }) {
  return (
    <Trans>
      {kibibytes} KiB, by {author}, <Moment at={at} />
    </Trans>
  );
}
