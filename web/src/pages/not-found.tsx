import { useTranslation } from 'react-i18next'
import { PublicBar } from '../features/accounts/public-bar.tsx'
import { useUser } from '../lib/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, useTitle } from '../ui/page.tsx'

export function NotFound() {
  const { t } = useTranslation('common')
  const user = useUser()
  useTitle(t('notFound.title'))
  return (
    <>
      <PublicBar hasSignIn />
      <Page>
        <EmptyState
          title={t('notFound.title')}
          text={t('notFound.text')}
          action={<ButtonLink to={user === null ? '/' : '/mangeHome'}>{t('notFound.action')}</ButtonLink>}
        />
      </Page>
    </>
  )
}
