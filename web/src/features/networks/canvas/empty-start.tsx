import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useWorkbench } from '../editor/workbench.ts'
import styles from './canvas.module.css'

/** What to do on an empty canvas. */
export function EmptyStart() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const insert = () => bench.screen.getState().set({ quick: { parent: '', at: null, from: null } })
  return (
    <section className={styles.empty} aria-labelledby="canvas-empty">
      <h2 id="canvas-empty">{t('empty.title')}</h2>
      <p>{t('empty.text')}</p>
      <div className={styles.emptyActions}>
        <Button type="primary" icon={<PlusOutlined />} onClick={insert}>
          {t('empty.insert')}
        </Button>
        <Link to="/dripe">{t('empty.template')}</Link>
      </div>
    </section>
  )
}
