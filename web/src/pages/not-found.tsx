import { useTranslation } from 'react-i18next'
import { PublicBar } from '../features/accounts/entrance/public-bar.tsx'
import { useUser } from '../lib/session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, useTitle } from '../ui/page.tsx'

/** `isFramed`: within a layout that has a bar of its own. */
export function NotFound({ isFramed = false }: { isFramed?: boolean }) {
  const { t } = useTranslation('common')
  const user = useUser()
  useTitle(t('notFound.title'))
  const content = (
    <Page>
      <EmptyState
        heading="h1"
        title={t('notFound.title')}
        text={t('notFound.text')}
        action={<ButtonLink to={user === null ? '/' : '/mangeHome'}>{t('notFound.action')}</ButtonLink>}
      />
    </Page>
  )
  return (
    <>
      {!isFramed && <PublicBar hasSignIn />}
      {isFramed ? content : <main>{content}</main>}
    </>
  )
}
