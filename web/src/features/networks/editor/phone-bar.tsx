import {
  AppstoreOutlined,
  CodeOutlined,
  DeleteOutlined,
  EllipsisOutlined,
  PlusOutlined,
  SlidersOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './frame.module.css'
import { run } from './keys.ts'
import { useEditor } from './use-editor.ts'
import { useWorkbench } from './workbench.ts'

/** For fingers: what the keyboard does elsewhere, in reach of the thumb. */
export function PhoneBar() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const hasChosen = useEditor(({ selection }) => selection.size > 0)
  const { set, openTab } = bench.screen.getState()
  const one = (name: string, icon: ReactNode, onClick: (event: MouseEvent) => void) => (
    <Button type="text" className={styles.phoneButton ?? ''} icon={icon} onClick={onClick}>
      <span>{name}</span>
    </Button>
  )
  return (
    <nav className={styles.phoneBar} aria-label={t('phone.name')}>
      {one(t('header.palette'), <AppstoreOutlined />, () => set({ isPaletteOpen: true, isSideOpen: false }))}
      {hasChosen && one(t('keys.insert'), <PlusOutlined />, () => run(bench, 'insert'))}
      {one(t('header.side'), <SlidersOutlined />, () => {
        set({ isPaletteOpen: false })
        openTab('settings')
      })}
      {!hasChosen && one(t('header.code'), <CodeOutlined />, () => set({ isCodeOpen: true }))}
      {hasChosen && one(t('keys.remove'), <DeleteOutlined />, () => run(bench, 'remove'))}
      {hasChosen &&
        one(t('phone.more'), <EllipsisOutlined />, ({ clientX, clientY }) =>
          set({ menu: { x: clientX, y: clientY, wire: null } }),
        )}
    </nav>
  )
}
