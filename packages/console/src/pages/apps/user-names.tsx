import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Section } from '../../kit/controls/section.tsx';
import { useApiForm } from '../../kit/form/form.ts';
import { Save } from '../../kit/form/save.tsx';
import type { App } from './app.ts';
import { changeApp, editsOf } from './app-change.tsx';
import { UserNamePreview } from './user-name-preview.tsx';

/** The rule in the form. `default` leaves the choice to Gatehouse. */
interface Values {
  from: 'default' | NonNullable<App['user_name']>['from'];
  user_name: { attribute: string; template: string };
}

const valuesOf = ({ user_name: rule }: App): Values => ({
  from: rule?.from ?? 'default',
  user_name: { attribute: rule?.attribute ?? '', template: rule?.template ?? '' },
});

/** The rule in a request. */
function ruleIn({ from, user_name: { attribute, template } }: Values) {
  if (from === 'default') return null;
  return {
    from,
    attribute: from === 'attribute' ? attribute.trim() : null,
    template: from === 'template' ? template.trim() : null,
  };
}

const sources = () => [
  { value: 'default', label: t`Chosen by Gatehouse` },
  { value: 'user_name', label: t`Username of the person` },
  { value: 'attribute', label: t`Attribute of the person` },
  { value: 'template', label: t`Template` },
];

/* oxlint-disable lingui/no-unlocalized-strings -- names of products and CEL stay as they are. */
const SYSTEMS = {
  active_directory: 'Active Directory',
  linux: 'Linux',
  postgresql: 'PostgreSQL',
  mariadb: 'MariaDB',
} satisfies Record<NonNullable<App['user_name_kind']>, string>;

const EXAMPLES = { part: 'part(user.email, "@", 1)', numbered: 'user.last_name + number' };
/* oxlint-enable lingui/no-unlocalized-strings */

function wordsOf(values: Values): string {
  const { from, user_name } = values;
  if (from === 'attribute') return user_name.attribute;
  if (from === 'template') return user_name.template;
  return sources().find(({ value }) => value === from)?.label ?? from;
}

/** The rule for the usernames of new accounts, with the names that it would give to real people. */
export function UserNames({ app }: { app: App }) {
  const { form, submit, pending, changed, failure } = useApiForm<Values, App>({
    initialValues: valuesOf(app),
    send: (values, version) => changeApp(app, { user_name: ruleIn(values) }, version),
    edits: editsOf(app, valuesOf, (values) => [
      { label: t`Usernames of new accounts`, value: ruleIn(values), show: wordsOf(values) },
    ]),
    success: t`Rule for usernames saved`,
  });
  const { values } = form;
  return (
    <Section title={t`Usernames of new accounts`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Select
            label={t`Username`}
            description={<Default kind={app.user_name_kind} from={values.from} />}
            data={sources()}
            {...form.getInputProps('from')}
            allowDeselect={false}
          />
          {values.from === 'attribute' && (
            <TextInput
              label={t`Attribute`}
              {...form.getInputProps('user_name.attribute')}
              required
              maxLength={255}
              spellCheck={false}
            />
          )}
          {values.from === 'template' && (
            <Textarea
              label={t`Template in CEL`}
              description={<TemplateHelp />}
              {...form.getInputProps('user_name.template')}
              required
              autosize
              minRows={2}
              maxLength={2000}
              spellCheck={false}
              autoCapitalize="off"
              autoCorrect="off"
            />
          )}
          <UserNamePreview app={app} rule={ruleIn(values)} />
          <Save changed={changed} pending={pending} failure={failure} />
        </Stack>
      </form>
    </Section>
  );
}

interface DefaultProps {
  kind: App['user_name_kind'];
  from: Values['from'];
}

/** Says which names Gatehouse chooses, and what happens to a name that is taken. */
function Default({ kind, from }: DefaultProps) {
  if (from !== 'default')
    return <Trans>If the app already has an account with this name, the name gets a number.</Trans>;
  if (kind === null)
    return <Trans>The username of the person, even if the app has an account with it.</Trans>;
  const system = SYSTEMS[kind];
  return (
    <Trans>
      The username of the person if {system} accepts it, otherwise the part of the email before the @. A name
      that is taken gets a number.
    </Trans>
  );
}

/** Shows examples of templates. */
function TemplateHelp() {
  const example = <Code>{EXAMPLES.part}</Code>;
  const numbered = <Code>{EXAMPLES.numbered}</Code>;
  return (
    <Text span inherit>
      <Trans>
        For example {example} or {numbered}. The functions part, cut, ascii and lower are available.
      </Trans>
    </Text>
  );
}
