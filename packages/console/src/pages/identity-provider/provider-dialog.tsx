import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import { api, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ActionButton } from '../../kit/action/action-button.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { AuthTime } from './auth-time.tsx';
import { productOf } from './products.ts';
import { issuerOf, type Provider } from './provider.ts';
import { ProviderForm } from './provider-form.tsx';
import { ProviderSetup } from './provider-setup.tsx';

/** Shows the values to enter at a provider, tests the sign-in, and changes the provider's settings. */
export function ProviderDialog({ of, close }: { of: Provider; close: () => void }) {
  const { owns } = useMe();
  return (
    <Modal opened onClose={close} title={of.name} size="lg">
      <Tabs defaultValue="setup" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="setup">{t`Provider setup`}</Tabs.Tab>
          <Tabs.Tab value="settings">{t`Settings`}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="setup">
          <ProviderSetup product={productOf(issuerOf(of))} protocol={of.type} addresses={of} />
          {of.saml !== null && (
            <Text size="sm" mt="sm">
              <Trans>
                The last certificate of the provider expires <Moment at={of.saml.certificates_expire_at} />.
              </Trans>
            </Text>
          )}
          <TestSignIn of={of} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <ProviderForm of={of} after={close} />
          {owns && <Remove of={of} close={close} />}
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

/** Signs in through the provider like everybody. A failure leads to the sign-in page, which says why. */
function TestSignIn({ of: provider }: { of: Provider }) {
  const { id } = provider;
  const begin = useChange(
    () =>
      ok(
        api.POST('/auth/sso/', {
          body: { provider: id, again: true, return_to: location.pathname + location.search },
        }),
      ),
    { after: ({ url }) => location.assign(url) },
  );
  return (
    <Stack gap="xs" mt="md" align="flex-start">
      <AuthTime of={provider} />
      <Text size="sm" c="dimmed">
        {t`The test signs you in as the person whom the provider names, and asks first if that is somebody else. If it fails, you stay signed in as you are, and the sign-in page says why.`}
      </Text>
      <Button variant="default" loading={begin.isPending} onClick={() => begin.mutate(undefined)}>
        {t`Test sign-in`}
      </Button>
    </Stack>
  );
}

function Remove({ of: { id, name }, close }: { of: Provider; close: () => void }) {
  return (
    <Group mt="md">
      <ActionButton
        variant="subtle"
        label={t`Remove provider`}
        of={{
          title: t`Remove ${name}?`,
          sentence: t`People can no longer sign in through this provider. People without a password or passkey need a one-time link. Existing sessions continue until they expire.`,
          button: t`Remove`,
          type: id,
          request: () =>
            ok(api.DELETE('/api/sign-in-providers/{provider}/', { params: { path: { provider: id } } })),
          message: t`${name} was removed`,
          after: close,
        }}
      />
    </Group>
  );
}
