import { ToolOutlined } from '@ant-design/icons'
import type { Fix } from '@neuroloom/contract/network/fix/fixes'
import type { ErrorCode, Problem, WarningCode } from '@neuroloom/contract/network/resolve/problems'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { useScreenStore } from '../../editor/screen.ts'
import { useEditorStore } from '../../editor/use-editor.ts'
import { useFixText } from './problem-text.ts'
import styles from './problems.module.css'
import { useFixes } from './use-fixes.ts'

/** Repairs that were tried and work, one click each. */
export function FixButtons({ problem }: { problem: Problem<ErrorCode | WarningCode> }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const screen = useScreenStore()
  const textOf = useFixText()
  const fixes = useFixes(problem)
  if (fixes === null || fixes.length === 0) return null
  const apply = (fix: Fix) => {
    store.getState().edit(() => fix.document)
    screen.getState().tell(t('problems.fixed', { what: textOf(fix) }))
  }
  return (
    <ul className={styles.fixes} aria-label={t('problems.fixes')}>
      {fixes.map((fix) => (
        <li key={`${fix.kind} ${JSON.stringify(fix.data)}`}>
          <button type="button" className={styles.fix} onClick={() => apply(fix)}>
            <ToolOutlined aria-hidden />
            <span>{textOf(fix)}</span>
            <Difference parameters={fix.parameters} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Difference({ parameters }: Pick<Fix, 'parameters'>) {
  const { t } = useTranslation('dripe-panels')
  if (parameters === null || parameters === 0) return null
  const value = `${parameters > 0 ? '+' : '−'}${formatNumber(Math.abs(parameters), 0)}`
  return (
    <span className={styles.difference}>
      {t('problems.difference', { count: Math.abs(parameters), value })}
    </span>
  )
}
