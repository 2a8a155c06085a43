import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, get, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Copied } from '../../parts/copy.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useApiForm } from '../../parts/form.ts';
import { FormFailure } from '../../parts/form-failure.tsx';
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
      <PageHeader title="Organization" about="The name and address of this organization." />
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
                    Manage API keys
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
  const { form, submit, pending, failure } = useApiForm({
    initialValues: { name },
    send: (values) => ok(api.PATCH('/api/organization/', { body: { name: values.name.trim() } })),
    success: 'Name saved',
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          description="Shown at the top of every page and on the sign-in page."
          required
          maxLength={255}
          disabled={!manages}
          {...form.getInputProps('name')}
        />
        <FormFailure of={failure} />
        {manages && (
          <Group>
            <Button type="submit" loading={pending}>
              Save name
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
