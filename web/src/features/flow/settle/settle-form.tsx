import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import { type FlowLeft, flowCells, stillOpen } from '@neuroloom/contract/flow/settled'
import type { FlowAnswer, FlowLook } from '@neuroloom/contract/flow/study'
import { Button, Checkbox } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { Panel } from '../../../ui/page.tsx'
import { useSourceText } from '../studies/use-source-text.ts'
import { toCm } from '../words.ts'
import { guessesOf, type Said, say, spreads } from './draft.ts'
import { ProblemList } from './problem-list.tsx'
import { SeriesTable } from './series-table.tsx'
import styles from './settle.module.css'
import { Timing } from './timing.tsx'

type Props = {
  study: FlowDetail
  look: FlowLook
  /** Of a study that was made already: back to it. */
  onClose?: () => void
}

/** What was recognised in the files, for a person to confirm or to correct; then the study is made. */
export function SettleForm({ study, look, onClose }: Props) {
  const { t } = useTranslation(['flow', 'common'])
  const help = useId()
  const [answer, setAnswer] = useState<FlowAnswer>(study.answer ?? { series: [] })
  const [isAll, setAll] = useState(onClose !== undefined)
  const sourceText = useSourceText()
  const settle = useAction('flow/settle', {
    refresh: ['flow/study', 'flow/studies'],
    ...(onClose ? { onDone: onClose } : {}),
  })
  const left = stillOpen(look, answer)
  const isSettled = left.questions.length + left.problems.length === 0
  const asked = flowCells.filter(
    (cell) =>
      look.series.some(({ unsure }) => unsure.includes(cell)) ||
      left.questions.some(({ what }) => what === cell),
  )
  const count = look.series.length
  return (
    <div className={styles.form}>
      <Panel title={t('settle.title')}>
        <div className={styles.words}>
          <p>
            {t('settle.lead', {
              count,
              shown: formatNumber(count),
              from: sourceText(look.source, look.vendor),
            })}{' '}
            {t('settle.needs')}
          </p>
        </div>
        <SeriesTable look={look} left={left} answer={answer} isAll={isAll} onAnswer={setAnswer} />
        <div className={styles.tools}>
          <Shortcuts
            left={left}
            onSay={(all) => setAnswer(all.reduce((next, one) => say(next, one.id, one.said), answer))}
          />
          <Checkbox checked={isAll} onChange={({ target }) => setAll(target.checked)}>
            {t('settle.all')}
          </Checkbox>
        </div>
        {(asked.length > 0 || isAll) && (
          <dl className={styles.help}>
            {(isAll ? flowCells : asked).map((cell) => (
              <div key={cell}>
                <dt>{t(`settle.column.${cell}`)}</dt>
                <dd>{t(`settle.help.${cell}`)}</dd>
              </div>
            ))}
          </dl>
        )}
      </Panel>
      <Timing look={look} answer={answer} onAnswer={setAnswer} />
      <ProblemList problems={[...left.problems, ...left.notes]} />
      <div className={styles.end}>
        <Button
          type="primary"
          size="large"
          disabled={!isSettled}
          loading={settle.isPending}
          aria-describedby={help}
          onClick={() => settle.mutate({ id: study.id, answer })}
        >
          {t(onClose ? 'settle.makeAnew' : 'settle.make')}
        </Button>
        {onClose && (
          <Button size="large" onClick={onClose}>
            {t('settle.cancel')}
          </Button>
        )}
        <p id={help} role="status">
          <Why left={left} isAnew={onClose !== undefined} />
        </p>
      </div>
    </div>
  )
}

/** Why the study cannot be made yet, or what making does. */
function Why({ left: { questions, problems }, isAnew }: { left: FlowLeft; isAnew: boolean }) {
  const { t } = useTranslation('flow')
  const count = questions.length
  if (count + problems.length === 0) return t(isAnew ? 'settle.replaces' : 'settle.fine')
  return (
    <>
      {count > 0 && t('settle.left', { count, shown: formatNumber(count) })}{' '}
      {problems.length > 0 && t('settle.blocked')}
    </>
  )
}

type ShortcutsProps = { left: FlowLeft; onSay: (all: { id: string; said: Said }[]) => void }

/** Several answers in one press: never without one. */
function Shortcuts({ left, onSay }: ShortcutsProps) {
  const { t } = useTranslation('flow')
  const guesses = guessesOf(left)
  return (
    <>
      {guesses.length > 0 && (
        <Button onClick={() => onSay(guesses)}>
          {t('settle.allRight', { count: guesses.length, shown: formatNumber(guesses.length) })}
        </Button>
      )}
      {spreads(left).map(({ cell, from, to }) => (
        <Button
          key={cell}
          onClick={() =>
            onSay(
              to.map((id) => ({
                id,
                said: cell === 'unit' ? { unit: from.unit ?? undefined } : { venc: from.venc ?? undefined },
              })),
            )
          }
        >
          {t('settle.spread', {
            what:
              cell === 'unit'
                ? t(`unit.${from.unit}`)
                : t('head.vencValue', { value: formatNumber(toCm(from.venc ?? 0), 2) }),
          })}
        </Button>
      ))}
    </>
  )
}
