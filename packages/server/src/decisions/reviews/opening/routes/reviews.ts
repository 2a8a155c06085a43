import { undecidedView } from '#directory/people/undecided.ts';
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
import { previewCampaign, previewSettings } from '../preview.ts';
import { type CampaignPreview, Preview } from '../preview-schema.ts';

export const campaignRoutes = (tools: ReviewTools) => [
  campaigns.list('List campaigns', { config: { ...overseeing, reads: 'replica' } }, (call, _, page) =>
    listCampaigns(call, page),
  ),
  campaigns.create('Create campaign', { body: NewCampaign }, ({ call, body }) =>
    createCampaign(call, settingsIn(body)),
  ),
  campaigns.all.post(
    'preview/',
    'Preview a campaign before it exists',
    {
      description:
        'Counts the items that a cycle with these settings would have if it opened now. Stores nothing. The settings have the defaults of a new campaign.',
      config: overseeing,
      body: CampaignChange,
      reply: Preview,
    },
    async ({ call, body, request }) => {
      const settings = settingsIn({ name: '', ...body });
      return previewView(await previewSettings(call, settings, () => !request.raw.socket.destroyed));
    },
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
    async ({ call, found, request }) =>
      previewView(await previewCampaign(call, found, () => !request.raw.socket.destroyed)),
  ),
];

const previewView = (preview: CampaignPreview) => ({
  ...preview,
  undecided: undecidedView(preview.undecided),
});
