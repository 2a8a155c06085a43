import { Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { UndecidedView, undecidedView } from '#directory/people/undecided.ts';
import { Component, Uuid } from '#kit/schemas.ts';
import { changeCampaign, createCampaign, deleteCampaign } from '../../campaigns/campaigns.ts';
import { listCampaigns } from '../../campaigns/facts.ts';
import {
  CampaignChange,
  changeIn,
  NewCampaign,
  settingsIn,
} from '../../campaigns/routes/campaign-schemas.ts';
import { CycleView, cycleView } from '../../cycles/routes/cycle-schemas.ts';
import { campaigns, overseeing, type ReviewTools } from '../../cycles/routes/resources.ts';
import { startCycle } from '../open.ts';
import { previewCampaign } from '../preview.ts';

const Delicate = (description: string) =>
  Component(
    'DelicateAccounts',
    {
      count: Type.Integer(),
      results: Type.Array(
        Component('DelicateAccount', {
          external_uuid: Uuid,
          account: Type.String(),
          app: Type.String(),
          groups: Type.Array(Type.String()),
        }),
        { description: 'At most 20.' },
      ),
    },
    { description },
  );

const Preview = Component('ReviewPreview', {
  accounts: Type.Integer({ description: 'The accounts with something to review.' }),
  items: Type.Integer(),
  more: Type.Boolean({ description: 'Whether there are more than 20,000 accounts. Only these are counted.' }),
  cannot_sign_in: Type.Array(PersonEmail, {
    description:
      'Reviewers who have neither a password nor a passkey, and whom no identity provider can sign in. At most 20.',
  }),
  without_reviewer: Type.Integer({
    description:
      'The items for which nobody is named, or nobody who can sign in. If no administrator decides them, `on_no_response` does.',
  }),
  own_accounts: Delicate('Accounts with which connectors sign in. They can only be kept.'),
  last_members: Delicate(
    'Accounts that are the only usable member of a group whose risk is high. Only the decision of a person removes them.',
  ),
  one_stays: Component(
    'DelicateGroups',
    {
      count: Type.Integer(),
      results: Type.Array(
        Component('DelicateGroup', {
          external_uuid: Uuid,
          group: Type.String(),
          app: Type.String(),
          members: Type.Integer({ description: 'The members that can be used. All of them are reviewed.' }),
        }),
        { description: 'At most 20.' },
      ),
    },
    {
      description:
        'Groups whose risk is high and that could lose several members at the same time, and all they have. Without a response, one member stays.',
    },
  ),
  undecided: UndecidedView,
});

export const campaignRoutes = (tools: ReviewTools) => [
  campaigns.list('List campaigns', { config: { ...overseeing, reads: 'replica' } }, (call, _, page) =>
    listCampaigns(call, page),
  ),
  campaigns.create('Create campaign', { body: NewCampaign }, ({ call, body }) =>
    createCampaign(call, settingsIn(body)),
  ),
  campaigns.get('Get campaign'),
  campaigns.change(
    'Change campaign',
    {
      description: 'Takes effect with the next cycle. Open cycles keep their settings.',
      body: CampaignChange,
    },
    ({ call, found, body, ifMatch }) => changeCampaign(call, found.id, changeIn(body), ifMatch),
  ),
  campaigns.remove(
    'Delete campaign',
    {
      description: 'No further cycle opens. Existing cycles stay as evidence, and an open one continues.',
    },
    ({ call, found }) => deleteCampaign(call, found.id),
  ),
  campaigns.one.post(
    'start/',
    'Start a cycle now',
    { reply: CycleView, status: 201 },
    async ({ call, found }) => cycleView(await startCycle(tools, call, found.id), call.principal),
  ),
  campaigns.one.get(
    'preview/',
    'Count the items of a campaign',
    {
      description:
        'Counts the items that a cycle would have if it opened now, and lists reviewers who cannot sign in, and accounts that must not go.',
      config: { ...overseeing, reads: 'replica' },
      reply: Preview,
    },
    async ({ call, found }) => {
      const preview = await previewCampaign(call, found);
      return { ...preview, undecided: undecidedView(preview.undecided) };
    },
  ),
];
