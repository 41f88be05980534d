import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useWorkbench } from '../editor/workbench.ts'
import styles from './canvas.module.css'

/** What to do on an empty canvas. */
export function EmptyStart() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const insert = () => bench.screen.getState().set({ quick: { parent: '', at: null, from: null } })
  return (
    <div className={styles.empty}>
      <EmptyState
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          <>
            <Button type="primary" icon={<PlusOutlined />} onClick={insert}>
              {t('empty.insert')}
            </Button>
            <Link to="/dripe">{t('empty.template')}</Link>
          </>
        }
      />
    </div>
  )
}
