import { toolbox as limits } from '@neuroloom/contract/limits'
import type { Cells } from '@neuroloom/contract/statistics/two-by-two'
import { Alert, Button, Segmented, Select } from 'antd'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import { Panel } from '../../../ui/page.tsx'
import { answerOf } from './analyses/accuracy.ts'
import { answerIn } from './analyses/answer-in.ts'
import { type Study, sizeIn, startOf } from './analyses/sample-size.ts'
import { isAnswer, type Outcome } from './answer.ts'
import { AnswerView } from './answer-view.tsx'
import { CellsForm } from './cells-form.tsx'
import { ColumnsForm } from './columns-form.tsx'
import { type CloudPicker, DataSource, fetchTable, type Source } from './data-source.tsx'
import { type Analysis, analyses, inputsOf, noSettings, settingsOf } from './settings.ts'
import { SizeForm } from './size-form.tsx'
import styles from './statistics.module.css'

type BenchProps = { inputs: Readonly<Record<string, string>>; picker: CloudPicker }

/** A question, a table in this browser, and the answer in sentences. */
export function Bench({ inputs, picker }: BenchProps) {
  const { t } = useTranslation('statistics')
  const questionId = useId()
  const [settings, setSettings] = useState(() => settingsOf(inputs))
  const [source, setSource] = useState<Source | null>(null)
  const [isByCells, setByCells] = useState(false)
  const [cells, setCells] = useState<Cells>(noCells)
  const [size, setSize] = useState({ study: 'accuracy' as Study, figures: startOf('accuracy') })
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const lost = useFormerTable(inputs.file, setSource)
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  const { analysis } = settings
  // What was asked before is no answer to what is asked now.
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      setOutcome(null)
    }
  const isTyped = analysis === 'accuracy' && isByCells
  const calculate = () => {
    const found = outcomeNow()
    setOutcome(found)
    if (!isAnswer(found)) return
    const file = isTyped || analysis === 'sampleSize' ? null : (source?.fileId ?? null)
    const title = file === null ? '' : (source?.name ?? '')
    record.mutate({
      tool: 'statistics',
      title: title.slice(0, limits.titleLength),
      inputs: inputsOf(settings, file),
    })
  }
  const outcomeNow = (): Outcome => {
    if (analysis === 'sampleSize') return sizeIn(size.study, size.figures)
    if (isTyped) return answerOf(cells)
    return source ? answerIn(source.table, settings) : { problem: { key: 'noTable' } }
  }
  return (
    <div className={styles.bench}>
      <Panel>
        <div className={styles.form}>
          <Alert type="info" showIcon title={t('private')} />
          <div className={styles.field}>
            <label htmlFor={questionId}>{t('ask')}</label>
            <Select<Analysis>
              id={questionId}
              size="large"
              value={analysis}
              options={analyses.map((value) => ({ value, label: t(`question.${value}.title`) }))}
              onChange={change((value: Analysis) => setSettings(noSettings(value)))}
            />
            <p className={styles.soft}>{t(`question.${analysis}.text`)}</p>
          </div>
          {analysis === 'accuracy' && (
            <Segmented
              aria-label={t('cells.how')}
              value={isByCells ? 'cells' : 'table'}
              options={[
                { value: 'table', label: t('cells.byTable') },
                { value: 'cells', label: t('cells.byCells') },
              ]}
              onChange={change((value: string) => setByCells(value === 'cells'))}
            />
          )}
          {lost && <Alert type="warning" showIcon title={lost} />}
          {isTyped && <CellsForm cells={cells} onChange={change(setCells)} />}
          {analysis === 'sampleSize' && (
            <SizeForm {...size} onChange={(study, figures) => change(setSize)({ study, figures })} />
          )}
          {analysis !== 'sampleSize' && !isTyped && (
            <>
              <DataSource source={source} onChange={change(setSource)} picker={picker} />
              {source && (
                <ColumnsForm table={source.table} settings={settings} onChange={change(setSettings)} />
              )}
            </>
          )}
          <div>
            <Button type="primary" size="large" onClick={calculate}>
              {t('calculate')}
            </Button>
          </div>
          {outcome && !isAnswer(outcome) && (
            <Alert
              type="warning"
              showIcon
              title={t(`problem.${outcome.problem.key}`, { ...outcome.problem.params })}
            />
          )}
        </div>
      </Panel>
      {outcome && isAnswer(outcome) && <AnswerView answer={outcome} />}
    </div>
  )
}

const noCells: Cells = { truePositive: 0, falsePositive: 0, falseNegative: 0, trueNegative: 0 }

/** The table of an earlier use, fetched once; tells why it is not there any more. */
function useFormerTable(file: string | undefined, onSource: (source: Source) => void): string | null {
  const [lost, setLost] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the setter of a state never changes
  useEffect(() => {
    if (file === undefined) return
    fetchTable(file).then(
      (table) => onSource({ table, name: '', fileId: file }),
      (error: unknown) => setLost(messageOf(error)),
    )
  }, [file])
  return lost
}
