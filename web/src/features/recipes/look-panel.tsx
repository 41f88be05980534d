import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../ui/page.tsx'

type LookPanelProps = { isFetching: boolean; onAnother: () => void; children: ReactNode }

/** What comes of a few images, and the button that shows others. */
export function LookPanel({ isFetching, onAnother, children }: LookPanelProps) {
  const { t } = useTranslation('recipes')
  return (
    <Panel
      title={t('samples.title')}
      extra={
        <Button onClick={onAnother} loading={isFetching}>
          {t('samples.another')}
        </Button>
      }
    >
      {children}
    </Panel>
  )
}
