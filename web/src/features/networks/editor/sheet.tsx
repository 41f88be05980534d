import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './frame.module.css'
import { useScreenStore } from './screen.ts'

type Part = 'isPaletteOpen' | 'isSideOpen' | 'isCodeOpen'
type Props = { part: Part; className: string; name: string; children: ReactNode }

/** A panel beside the canvas; on a phone it lies over it from below. */
export function Sheet({ part, className, name, children }: Props) {
  const { t } = useTranslation('dripe')
  const screen = useScreenStore()
  return (
    <aside className={`${styles.sheet} ${className}`} aria-label={name} data-sheet>
      <div className={styles.sheetHead}>
        <strong>{name}</strong>
        <Button
          type="text"
          icon={<CloseOutlined />}
          aria-label={t('header.close', { name })}
          onClick={() => screen.getState().set({ [part]: false })}
        />
      </div>
      {children}
    </aside>
  )
}
