import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { api, get, ok, useChange } from '../../api/client.ts';
import { detailOf } from '../../api/error.ts';
import { useMe } from '../../api/me.ts';
import { Copied } from '../../parts/copy.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import classes from './settings.module.css';

export function OrganizationPage() {
  const { me } = useMe();
  const organization = useQuery(get('/api/organization/'));
  return (
    <>
      <PageHeader title="Organization" about="What it is called, and where it is reached." />
      {organization.isError && (
        <Failure error={organization.error} again={() => void organization.refetch()} />
      )}
      {organization.data && (
        <div className={classes.narrow}>
          <Section title="Name">
            <NameForm key={organization.data.name} name={organization.data.name} />
          </Section>
          <Section title="Address">
            <Properties
              of={[
                ['Slug', <Copied key="slug" value={organization.data.slug} what="organization slug" />],
                ['base_url', <Copied key="base" value={me?.base_url ?? ''} what="base_url" />],
                [
                  'API keys',
                  <TextLink key="keys" to="/settings/api-keys">
                    What is called with them
                  </TextLink>,
                ],
                [
                  'API reference',
                  <a key="docs" href="/docs">
                    /docs
                  </a>,
                ],
              ]}
            />
          </Section>
        </div>
      )}
    </>
  );
}

function NameForm({ name }: { name: string }) {
  const { manages } = useMe();
  const [typed, setTyped] = useState(name);
  const change = useChange((next: string) => ok(api.PATCH('/api/organization/', { body: { name: next } })), {
    said: 'Saved',
    tell: false,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate(typed.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="Shown at the top of every page, and at sign-in."
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          required
          maxLength={255}
          disabled={!manages}
        />
        {change.isError && (
          <Alert color="red" role="alert">
            {detailOf(change.error)}
          </Alert>
        )}
        {manages && (
          <Group>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
