import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './list.module.css'

type MoreButtonProps = {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Fetches the next page of a list. */
export function MoreButton({ query }: MoreButtonProps) {
  const { t } = useTranslation('common')
  if (!query.hasNextPage) return null
  return (
    <div className={styles.more}>
      <Button loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
        {t('more')}
      </Button>
    </div>
  )
}
