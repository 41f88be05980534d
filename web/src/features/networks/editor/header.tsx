import {
  AppstoreOutlined,
  CodeOutlined,
  HistoryOutlined,
  LeftOutlined,
  QuestionCircleOutlined,
  RedoOutlined,
  SlidersOutlined,
  UndoOutlined,
} from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { redo, undo } from './commands.ts'
import styles from './header.module.css'
import { NetworkName } from './network-name.tsx'
import { SaveState } from './save-state.tsx'
import { type Screen, useScreen } from './screen.ts'
import { useEditor } from './use-editor.ts'
import { useWorkbench } from './workbench.ts'

/** Name, saving, undo, and what is folded open. */
export function Header() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const canUndo = useEditor(({ past }) => past.length > 0)
  const canRedo = useEditor(({ future }) => future.length > 0)
  const { openTab, set } = bench.screen.getState()
  return (
    <header className={styles.header}>
      <Link to="/dripe" className={styles.back} aria-label={t('header.back')} title={t('header.back')}>
        <LeftOutlined aria-hidden />
      </Link>
      <NetworkName />
      <SaveState />
      <div className={styles.actions}>
        <Act name={t('keys.undo')} icon={<UndoOutlined />} disabled={!canUndo} onClick={() => undo(bench)} />
        <Act name={t('keys.redo')} icon={<RedoOutlined />} disabled={!canRedo} onClick={() => redo(bench)} />
        <Act
          name={t('header.versions')}
          icon={<HistoryOutlined />}
          isLong
          onClick={() => openTab('versions')}
        />
        <Fold part="isPaletteOpen" name={t('header.palette')} icon={<AppstoreOutlined />} />
        <Fold part="isSideOpen" name={t('header.side')} icon={<SlidersOutlined />} />
        <Fold part="isCodeOpen" name={t('header.code')} icon={<CodeOutlined />} />
        <Act
          name={t('keys.help')}
          icon={<QuestionCircleOutlined />}
          className={styles.keys}
          onClick={() => set({ dialog: 'help' })}
        />
      </div>
    </header>
  )
}

interface ActProps {
  name: string
  icon: ReactNode
  onClick: () => void
  disabled?: boolean
  /** With its name beside the picture, where there is room. */
  isLong?: boolean
  className?: string | undefined
}

function Act({ name, icon, onClick, disabled = false, isLong = false, className = '' }: ActProps) {
  return (
    <Button
      type="text"
      icon={icon}
      aria-label={name}
      title={name}
      disabled={disabled}
      onClick={onClick}
      className={className}
    >
      {isLong && <span className={styles.word}>{name}</span>}
    </Button>
  )
}

type Part = 'isPaletteOpen' | 'isSideOpen' | 'isCodeOpen'

function Fold({ part, name, icon }: { part: Part; name: string; icon: ReactNode }) {
  const bench = useWorkbench()
  const isOpen = useScreen((screen: Screen) => screen[part])
  return (
    <Button
      type="text"
      icon={icon}
      aria-label={name}
      title={name}
      aria-pressed={isOpen}
      className={styles.fold ?? ''}
      onClick={() => bench.screen.getState().set({ [part]: !isOpen })}
    />
  )
}
