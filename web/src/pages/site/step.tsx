import { useTranslation } from 'react-i18next'
import { Article } from '../../features/site/article.tsx'
import { useArticle } from '../../features/site/article-text.ts'
import { useUser } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'

/** From an account to a tested model. */
export function Step() {
  const { t } = useTranslation('site')
  const user = useUser()
  return (
    <Article
      text={useArticle('step')}
      after={{
        read: (
          <p>
            <ButtonLink to={user === null ? '/login' : '/mangeHome'} size="large">
              {t(user === null ? 'hero.start' : 'hero.open')}
            </ButtonLink>
          </p>
        ),
      }}
    />
  )
}
