import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  ExclamationCircleOutlined,
  LoadingOutlined,
} from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from './header.module.css'
import type { SaveState as State } from './store.ts'
import { useEditor } from './use-editor.ts'

const icons: Record<State, typeof CheckCircleOutlined> = {
  saved: CheckCircleOutlined,
  waiting: ClockCircleOutlined,
  saving: LoadingOutlined,
  failed: ExclamationCircleOutlined,
  conflict: ExclamationCircleOutlined,
}

/** In words: whether everything is on the server. */
export function SaveState() {
  const { t } = useTranslation('dripe')
  const state = useEditor(({ saveState }) => saveState)
  const Icon = icons[state]
  return (
    <span className={styles.save} data-state={state} role="status">
      <Icon aria-hidden />
      <span>{t(`save.${state}`)}</span>
    </span>
  )
}
