import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { saveBlob } from '../../../lib/download.ts'
import { toast } from '../../../lib/toast.ts'
import { Panel } from '../../../ui/page.tsx'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { type Answer, chance, number, type Row, type Said, share } from './answer.ts'
import { csvOf } from './csv.ts'
import { FigureView } from './figure-view.tsx'
import styles from './statistics.module.css'

/** Sentences, what to be careful with, the figure, and the numbers with their method and paper. */
export function AnswerView({ answer }: { answer: Answer }) {
  const { t } = useTranslation('statistics')
  const sentences = answer.sentences.map(({ key, params }) => t(`said.${key}`, { ...params }))
  const copy = async () => {
    const lines = [...sentences, ...answer.warnings.map((warning) => warningText(warning))]
    if (await copyText(lines.join('\n'))) toast.success(t('copied'))
  }
  const warningText = ({ key, params }: Said): string => t(`warn.${key}`, { ...params })
  return (
    <Panel
      title={t('answer')}
      extra={
        <div className={styles.buttons}>
          <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy()}>
            {t('copy')}
          </Button>
          <Button
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => saveBlob('statistics.csv', new Blob([csvOf(answer.rows)], { type: 'text/csv' }))}
          >
            {t('csv')}
          </Button>
        </div>
      }
    >
      <div className={styles.result}>
        <div className={styles.answer} role="status">
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        {answer.figure && <FigureView figure={answer.figure} />}
      </div>
      {answer.warnings.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('careful')}
          description={
            <ul className={styles.warnings}>
              {answer.warnings.map((warning) => (
                <li key={warning.key}>{warningText(warning)}</li>
              ))}
            </ul>
          }
        />
      )}
      <Numbers rows={answer.rows} />
    </Panel>
  )
}

function Numbers({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation('statistics')
  return (
    <ScrollRegion name={t('numbers')} className={styles.scroll}>
      <table className={styles.numbers}>
        <caption>{t('numbers')}</caption>
        <thead>
          <tr>
            {(['figure', 'value', 'interval', 'method'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`column.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { name, of, value, interval, as, method, paper } = row
            return (
              <tr key={`${name} ${of} ${method}`}>
                <th scope="row">
                  {of === undefined ? t(`row.${name}`) : t('rowOf', { name: t(`row.${name}`), of })}
                </th>
                <td>{shown[as](value)}</td>
                <td>
                  {interval && t('range', { low: shown[as](interval.low), high: shown[as](interval.high) })}
                </td>
                <td>
                  {t(`method.${method}`)}
                  <small>{paper}</small>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

const shown: Record<Row['as'], (value: number) => string> = { share, number, p: chance }
