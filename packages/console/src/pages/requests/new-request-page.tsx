import { PageHeader } from '../../parts/page-header.tsx';

export function NewRequestPage() {
  return <PageHeader title="Ask for access" />;
}
