import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Section } from '../../kit/controls/section.tsx';
import { Unready } from '../../kit/controls/unready.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { NewProvider } from './new-provider.tsx';
import { PRODUCT, productOf } from './products.ts';
import { issuerOf, PROTOCOL_NAMES } from './provider.ts';
import { ScimSetup } from './scim-setup.tsx';
import { type identityProviderSearch, PRODUCTS, PROTOCOLS, type ProductId, type Protocol } from './search.ts';
import classes from './steps.module.css';

type At = ReturnType<typeof identityProviderSearch>;
interface Props {
  at: At;
  go: (change: Partial<At>) => void;
}

/** Sets up a product: sign-in, and the people and groups that it sends. */
export function Setup({ at: { product, protocol = 'oidc' }, go }: Props) {
  const { owns } = useMe();
  return (
    <>
      <Section title={t`Set up`}>
        <Text size="sm" mb="xs">
          {t`Select your identity provider. The page then shows the values to enter there, under the names that its forms use.`}
        </Text>
        <Views label={t`Identity provider`}>
          {PRODUCTS.map((one) => (
            <View
              key={one}
              pressed={one === product}
              onClick={() => go({ product: one === product ? undefined : one })}
            >
              {PRODUCT[one].name}
            </View>
          ))}
        </Views>
      </Section>
      {product !== undefined && (
        <>
          <Section
            title={t`Set up sign-in`}
            actions={
              owns && (
                <Views label={t`Protocol`} inline>
                  {PROTOCOLS.map((one) => (
                    <View key={one} pressed={one === protocol} onClick={() => go({ protocol: one })}>
                      {PROTOCOL_NAMES[one]}
                    </View>
                  ))}
                </Views>
              )
            }
          >
            {owns ? (
              <SignInSetup key={`${product} ${protocol}`} product={product} protocol={protocol} go={go} />
            ) : (
              <Text size="sm">{t`Ask an owner: only owners can add sign-in providers.`}</Text>
            )}
          </Section>
          <Section title={t`Set up people and groups (SCIM)`}>
            <ScimSetup key={product} product={product} />
          </Section>
        </>
      )}
    </>
  );
}

/** Adds a provider, unless the product has one already. */
function SignInSetup({ product, protocol, go }: { product: ProductId; protocol: Protocol; go: Props['go'] }) {
  const providers = useQuery(get('/api/sign-in-providers/', { query: { limit: 200 } }));
  const [adds, setAdds] = useState(false);
  if (providers.data === undefined) return <Unready of={providers} height={400} />;
  const { results } = providers.data;
  const existing = results.find((one) => one.type === protocol && productOf(issuerOf(one)) === product);
  if (existing !== undefined && product !== 'other' && !adds) {
    const { id, name } = existing;
    return (
      <Group gap="xs">
        <Text size="sm">{t`${name} is set up.`}</Text>
        <Button variant="default" onClick={() => go({ provider: id })}>
          {t`Show values and test`}
        </Button>
        <Button variant="subtle" onClick={() => setAdds(true)}>
          {t`Add another one`}
        </Button>
      </Group>
    );
  }
  return (
    <div className={classes.narrow}>
      <NewProvider
        key={results.length}
        product={product}
        protocol={protocol}
        taken={results.map(({ id }) => id)}
        after={({ id }) => {
          setAdds(false);
          go({ provider: id });
        }}
      />
    </div>
  );
}
