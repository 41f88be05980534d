import { HistoryOutlined, SaveOutlined } from '@ant-design/icons'
import { networkFileLimits } from '@neuroloom/contract/limits'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../../../lib/query.ts'
import { toast } from '../../../../lib/toast.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { whenSaved } from '../when-saved.ts'
import { VersionCard } from './version-card.tsx'
import styles from './versions.module.css'

/** States worth keeping: to compare with, and to go back to. */
export function VersionsTab() {
  const { t } = useTranslation('dripe-panels')
  const id = useEditor(({ file }) => file.id)
  const { data, error, refetch } = useCall('networks/versions', { id }, { quiet: true })
  const [compared, setCompared] = useState<number | null>(null)
  return (
    <div className={panel.panel}>
      <KeepForm />
      {!data && error ? <ErrorState error={error} retry={() => void refetch()} /> : null}
      {!data && !error ? <Loading count={2} /> : null}
      {data?.versions.length === 0 ? (
        <div className={panel.quiet}>
          <HistoryOutlined className={panel.quietIcon ?? ''} aria-hidden />
          <strong>{t('versions.none')}</strong>
          <span>{t('versions.noneText')}</span>
        </div>
      ) : null}
      <ul className={styles.list}>
        {data?.versions.map((version) => (
          <VersionCard
            key={version.number}
            version={version}
            isCompared={version.number === compared}
            onCompare={() => setCompared(version.number === compared ? null : version.number)}
          />
        ))}
      </ul>
    </div>
  )
}

function KeepForm() {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const id = useEditor(({ file }) => file.id)
  const [note, setNote] = useState('')
  const [isWaiting, setIsWaiting] = useState(false)
  const keep = useAction('networks/keep', {
    refresh: ['networks/versions', 'networks/mine'],
    onDone: ({ number }) => {
      setNote('')
      toast.success(t('versions.kept', { number }))
    },
  })
  const submit = async () => {
    if (isWaiting || keep.isPending) return
    setIsWaiting(true)
    try {
      await whenSaved(store)
      keep.mutate({ id, note: note.trim() })
    } catch {
      toast.warning(t('save.first'))
    } finally {
      setIsWaiting(false)
    }
  }
  return (
    <form
      className={styles.keep}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Input
        value={note}
        maxLength={networkFileLimits.noteLength}
        placeholder={t('versions.note')}
        aria-label={t('versions.note')}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button
        type="primary"
        htmlType="submit"
        icon={<SaveOutlined aria-hidden />}
        loading={isWaiting || keep.isPending}
      >
        {t('versions.keep')}
      </Button>
    </form>
  )
}
