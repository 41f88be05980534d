import {
  CheckCircleOutlined,
  ExclamationCircleOutlined,
  LeftOutlined,
  LoadingOutlined,
  QuestionCircleOutlined,
  RedoOutlined,
  RightOutlined,
  UndoOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { ReadingState } from '@neuroloom/contract/labelling/labelling'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OpenedReading } from '../journal/opening.ts'
import type { SaveState } from '../journal/step-queue.ts'
import { redo, undo } from './commands.ts'
import styles from './editor.module.css'
import { Judge } from './judge.tsx'
import { useBench, useDesk } from './use-bench.ts'

type HeaderProps = {
  opened: OpenedReading
  state: ReadingState
  onState: (state: ReadingState, reason?: string) => void
  onGo: (itemId: string | null) => void
  onHelp: () => void
}

/** Where one is, whether all is saved, and on to the next image. */
export function Header({ opened, state, onState, onGo, onHelp }: HeaderProps) {
  const { t } = useTranslation('labelling')
  const bench = useBench()
  const canUndo = useDesk((desk) => desk.canUndo)
  const canRedo = useDesk((desk) => desk.canRedo)
  const { set, item, before, next, position } = opened
  return (
    <header className={styles.header}>
      <Link
        className={styles.back}
        to={`/labelling?set=${encodeURIComponent(set.id)}`}
        aria-label={t('toImages')}
        title={t('toImages')}
      >
        <LeftOutlined aria-hidden />
      </Link>
      <div className={styles.where}>
        <h1>{item.name}</h1>
        <span>{t('position', { position, count: set.items })}</span>
      </div>
      <Save />
      <div className={styles.acts}>
        <Act
          name={t('undo')}
          icon={<UndoOutlined />}
          isOff={!canUndo || !bench.isWritable}
          onClick={() => void undo(bench)}
        />
        <Act name={t('redo')} icon={<RedoOutlined />} isOff={!canRedo} onClick={() => redo(bench)} />
        <Act name={t('help')} icon={<QuestionCircleOutlined />} onClick={onHelp} />
        <Act
          name={t('before')}
          icon={<LeftOutlined />}
          isOff={before === null}
          onClick={() => onGo(before)}
        />
        <Act name={t('next')} icon={<RightOutlined />} isOff={next === null} onClick={() => onGo(next)} />
        <Judge reading={opened.reading} right={set.right} {...{ state, onState }} />
      </div>
    </header>
  )
}

function Act({
  name,
  icon,
  isOff = false,
  onClick,
}: {
  name: string
  icon: ReactNode
  isOff?: boolean
  onClick: () => void
}) {
  return <Button type="text" icon={icon} aria-label={name} title={name} disabled={isOff} onClick={onClick} />
}

const icons: Record<SaveState, typeof WarningOutlined> = {
  saved: CheckCircleOutlined,
  saving: LoadingOutlined,
  kept: WarningOutlined,
  refused: ExclamationCircleOutlined,
}

function Save() {
  const { t } = useTranslation('labelling')
  const { state, message, isKeptHere } = useDesk(({ saving }) => saving)
  const Icon = icons[state]
  const words = t(state === 'kept' && !isKeptHere ? 'save.unkept' : `save.${state}`)
  return (
    <Tooltip title={state === 'kept' || state === 'refused' ? message : ''}>
      <span className={styles.save} data-state={state} role="status">
        <Icon aria-hidden />
        <span>{words}</span>
      </span>
    </Tooltip>
  )
}
