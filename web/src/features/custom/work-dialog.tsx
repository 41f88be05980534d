import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { custom as limits } from '@neuroloom/contract/limits'
import { Input, InputNumber } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './custom.module.css'

type Props = { task: CustomTask; deed: 'progress' | 'complete'; onClose: () => void }

const WHOLE = 100

/** How far the work is, or that it is done; the member is told either. */
export function WorkDialog({ task, deed, onClose }: Props) {
  const { t } = useTranslation('custom')
  const ids = { progress: useId(), note: useId() }
  const least = task.state === 'processing' ? task.progress + 1 : 0
  const [progress, setProgress] = useState(Math.min(least, WHOLE))
  const [note, setNote] = useState('')
  const options = {
    quiet: true,
    refresh: ['office/customTasks' as const, 'customTask/assigned' as const],
    onDone: () => toast.success(t('work.done')),
  }
  const report = useAction('customTask/progress', options)
  const complete = useAction('customTask/complete', options)
  const isProgress = deed === 'progress'
  const error = report.error ?? complete.error
  const save = () => {
    const said = { id: task.id, note: note.trim() }
    return isProgress ? report.mutateAsync({ ...said, progress }) : complete.mutateAsync(said)
  }
  return (
    <SaveDialog
      width={520}
      title={t(`work.${deed}.title`, { title: task.title })}
      saveLabel={t(`work.${deed}.save`)}
      isDisabled={isProgress && (progress < least || least > WHOLE)}
      onSave={save}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p>{t(`work.${deed}.text`)}</p>
        {isProgress && (
          <>
            <label htmlFor={ids.progress}>{t('progress')}</label>
            <InputNumber
              id={ids.progress}
              min={Math.min(least, WHOLE)}
              max={WHOLE}
              precision={0}
              suffix="%"
              value={progress}
              onChange={(value) => setProgress(value ?? least)}
            />
          </>
        )}
        <label htmlFor={ids.note}>{t('work.note')}</label>
        <Input.TextArea
          id={ids.note}
          value={note}
          maxLength={limits.noteLength}
          autoSize={{ minRows: 2, maxRows: 6 }}
          onChange={({ target }) => setNote(target.value)}
        />
        {error && (
          <p role="alert" className={styles.problem}>
            {messageOf(error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
