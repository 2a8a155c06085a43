import { choice, search, text, whole } from '../../kit/browser/address.ts';
import { KINDS, SEVERITIES, STATUSES } from './finding.ts';

export const findingsSearch = search({
  kind: choice(...KINDS),
  severity: choice(...SEVERITIES),
  status: choice(...STATUSES),
  assignee: text,
  app: text,
  subject: text,
  page: whole,
});
