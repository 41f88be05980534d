import { MinusOutlined, PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Angles } from '../viewer/numbers/sight.ts'
import viewer from '../viewer/viewer.module.css'
import { firstAngles, views } from './draw/camera.ts'
import styles from './space.module.css'

const STEP = 1.25

type BarProps = {
  /** All of the volume from there. */
  onView: (angles: Angles) => void
  onZoom: (by: number) => void
}

/** From where it is looked at, for those who do not drag. Stays the same while it turns. */
export const ViewBar = memo(({ onView, onZoom }: BarProps) => {
  const { t } = useTranslation('flow-space')
  const tools = [
    { name: 'nearer', icon: <PlusOutlined aria-hidden />, act: () => onZoom(STEP) },
    { name: 'farther', icon: <MinusOutlined aria-hidden />, act: () => onZoom(1 / STEP) },
    { name: 'reset', icon: <ReloadOutlined aria-hidden />, act: () => onView(firstAngles) },
  ] as const
  return (
    <fieldset className={`${viewer.group} ${styles.looks}`} aria-label={t('view.name')}>
      {(['front', 'side', 'top'] as const).map((name) => (
        <Button key={name} size="small" onClick={() => onView(views[name])}>
          {t(`view.${name}`)}
        </Button>
      ))}
      {tools.map(({ name, icon, act }) => (
        <Button
          key={name}
          size="small"
          icon={icon}
          aria-label={t(`view.${name}`)}
          title={t(`view.${name}`)}
          onClick={act}
        />
      ))}
    </fieldset>
  )
})
