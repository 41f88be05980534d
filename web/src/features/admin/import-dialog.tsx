import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import type { ImportLine } from '@neuroloom/contract/accounts/member-import'
import type { Answer } from '@neuroloom/contract/calls'
import { memberImport as limits } from '@neuroloom/contract/limits'
import { Alert, Button, Modal, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../lib/api.ts'
import { csvText } from '../../lib/csv.ts'
import { saveBlob } from '../../lib/download.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import list from '../../ui/list.module.css'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import styles from './members.module.css'

type Preview = Answer<'members/preview'>
type Made = Answer<'members/import'>['made']
type Chosen = { file: string; preview: Preview }

/** Accounts from a table: chosen, looked through line by line, made; then their first passwords as a file. */
export function ImportDialog({ hasLevels, onClose }: { hasLevels: boolean; onClose: () => void }) {
  const { t } = useTranslation(['members', 'common'])
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [isReading, setReading] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  const make = useAction('members/import', {
    refresh: ['members/list'],
    onDone: (answer) => setMade(answer.made),
  })
  const choose = async (file: File) => {
    if (file.size > limits.bytes) return toast.warning(t('import.tooLarge'))
    setReading(true)
    try {
      const text = base64Of(await file.arrayBuffer())
      setChosen({ file: text, preview: await call('members/preview', { file: text }) })
    } catch (error) {
      // `call` has told why.
      console.error(error)
    } finally {
      setReading(false)
    }
  }
  if (made) return <Passwords made={made} onClose={onClose} />
  return (
    <Modal
      open
      centered
      width={960}
      title={t('import.title')}
      mask={{ closable: false }}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          {chosen && (
            <MakeButtons
              preview={chosen.preview}
              isBusy={make.isPending}
              onMake={(only) => make.mutate({ file: chosen.file, only })}
            />
          )}
        </>
      }
      onCancel={onClose}
    >
      <div className={styles.form}>
        <p>{t('import.text', { limit: limits.rows })}</p>
        <div className={styles.buttons}>
          <Upload
            accept=".csv,.tsv,.txt,text/csv"
            showUploadList={false}
            beforeUpload={(file) => {
              void choose(file)
              return false
            }}
          >
            <Button icon={<UploadOutlined aria-hidden />} loading={isReading}>
              {t(chosen ? 'import.other' : 'import.choose')}
            </Button>
          </Upload>
          <Button
            type="link"
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => saveTemplate(t('import.head'))}
          >
            {t('import.template')}
          </Button>
        </div>
        {chosen && <Lines preview={chosen.preview} hasLevels={hasLevels} />}
      </div>
    </Modal>
  )
}

type MakeButtonsProps = { preview: Preview; isBusy: boolean; onMake: (only: 'all' | 'good') => void }

function MakeButtons({ preview: { lines, good }, isBusy, onMake }: MakeButtonsProps) {
  const { t } = useTranslation('members')
  const isWhole = good === lines.length
  if (good === 0) return null
  return (
    <Button type="primary" loading={isBusy} onClick={() => onMake(isWhole ? 'all' : 'good')}>
      {t(isWhole ? 'import.makeAll' : 'import.makeGood', { count: good })}
    </Button>
  )
}

function Lines({ preview, hasLevels }: { preview: Preview; hasLevels: boolean }) {
  const { t } = useTranslation('members')
  const { lines, unknown, good } = preview
  const bad = lines.length - good
  // What must be put right comes first.
  const sorted = [...lines].sort((one, other) => Number(isGood(one)) - Number(isGood(other)))
  return (
    <>
      {bad > 0 ? (
        <Alert
          type="warning"
          showIcon
          title={t('import.bad', { count: bad })}
          description={t('import.badText')}
        />
      ) : (
        <Alert type="success" showIcon title={t('import.good', { count: good })} />
      )}
      {unknown.length > 0 && (
        <p className={styles.help}>{t('import.unknown', { columns: unknown.join(', ') })}</p>
      )}
      <ScrollRegion name={t('import.lines')} className={styles.lines ?? ''}>
        <table className={list.list} aria-label={t('import.lines')}>
          <thead>
            <tr>
              <th>{t('import.line')}</th>
              <th>{t('account')}</th>
              <th>{t('create.name')}</th>
              <th className={list.wide}>{t('role')}</th>
              {hasLevels && <th className={list.wide}>{t('table.level')}</th>}
              <th className={list.wide}>{t('import.place')}</th>
              <th>{t('import.problem')}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((line) => (
              <tr key={line.line}>
                <td>{line.line}</td>
                <td>{line.account}</td>
                <td>{line.nickName}</td>
                <td className={list.wide}>{line.role}</td>
                {hasLevels && <td className={list.wide}>{line.level}</td>}
                <td className={list.wide}>{[line.organ, line.dept].filter(Boolean).join(' · ')}</td>
                <td className={styles.problem}>
                  {line.problems.map(({ problem, other }) => (
                    <div key={problem}>{t(`import.problems.${problem}`, { line: other })}</div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

/** Told this once: the server keeps only what they are checked by. */
function Passwords({ made, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('members')
  const [isSaved, setSaved] = useState(false)
  const save = () => {
    const lines = made.map(({ account, nickName, password }) => [account, nickName, password])
    saveCsv('neuroloom-passwords.csv', [[t('account'), t('create.name'), t('given.password')], ...lines])
    setSaved(true)
  }
  return (
    <Modal
      open
      centered
      width={520}
      title={t('import.made', { count: made.length })}
      // A click beside it would lose the passwords.
      mask={{ closable: false }}
      closable={isSaved}
      footer={
        <>
          <Button
            type={isSaved ? 'default' : 'primary'}
            icon={<DownloadOutlined aria-hidden />}
            onClick={save}
          >
            {t('import.save')}
          </Button>
          <Button type={isSaved ? 'primary' : 'default'} disabled={!isSaved} onClick={onClose}>
            {t('import.done')}
          </Button>
        </>
      }
      onCancel={onClose}
    >
      <Alert type="warning" showIcon title={t('import.once')} description={t('import.hand')} />
    </Modal>
  )
}

const isGood = ({ problems }: ImportLine): boolean => problems.length === 0

const saveTemplate = (head: string): void =>
  saveCsv('neuroloom-accounts.csv', [head.split(','), ['nurse@hospital.org', 'Ward 7', '0', '1', '', '']])

function saveCsv(name: string, lines: readonly (readonly string[])[]): void {
  // The mark by which spreadsheets know UTF-8.
  saveBlob(name, new Blob([`\uFEFF${csvText(lines)}`], { type: 'text/csv;charset=utf-8' }))
}

const CHUNK = 8192

function base64Of(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer)
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}
