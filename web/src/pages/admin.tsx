import { roles } from '@neuroloom/contract/roles'
import { useTranslation } from 'react-i18next'
import { VisitorMessages } from '../features/admin/visitor-messages.tsx'
import { useUser } from '../lib/session.ts'
import { Page, PageHeader } from '../ui/page.tsx'
import { NotFound } from './not-found.tsx'

/** The back-office. To anybody but an administrator it does not exist. */
export function Admin() {
  const { t } = useTranslation('admin')
  if (useUser()?.role !== roles.administrator) return <NotFound isFramed />
  return (
    <Page>
      <PageHeader title={t('title')} subtitle={t('subtitle')} />
      <VisitorMessages />
    </Page>
  )
}
