import { market as limits } from '@neuroloom/contract/limits'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { type ChosenFile, FileField, type FilePicker } from './file-field.tsx'
import styles from './market.module.css'
import { WordsField } from './words-field.tsx'

type Props = { id: string; part: string | null; Picker: FilePicker; onClose: () => void }

/** Hands the work over: words, and files of the own cloud. `part`: the milestone that it is of. */
export function DeliverDialog({ id, part, Picker, onClose }: Props) {
  const { t } = useTranslation('market')
  const [text, setText] = useState('')
  const [files, setFiles] = useState<ChosenFile[]>([])
  const [withPatients, setWithPatients] = useState(false)
  const deliver = useAction('demand/deliver', {
    quiet: true,
    refresh: ['demand/detail', 'demand/list'],
    onDone: () => toast.success(t('deliver.done')),
  })
  const namesPatients = deliver.error?.name === 'patients_named'
  return (
    <SaveDialog
      width={560}
      title={part === null ? t('deliver.title') : t('deliver.titlePart', { part })}
      saveLabel={t('deliver.send')}
      isDisabled={text.trim() === ''}
      onSave={async () =>
        deliver.mutateAsync({ id, text: text.trim(), fileIds: files.map((one) => one.id), withPatients })
      }
      onClose={onClose}
    >
      <div className={styles.form}>
        <WordsField
          id="delivery-text"
          label={t('deliver.text')}
          text={text}
          maxLength={limits.wordsLength}
          rows={4}
          onText={setText}
        />
        <FileField
          label={t('deliver.files')}
          help={t('deliver.filesHelp')}
          files={files}
          Picker={Picker}
          onChange={setFiles}
        />
        {(namesPatients || withPatients) && (
          <Checkbox checked={withPatients} onChange={({ target }) => setWithPatients(target.checked)}>
            {t('deliver.withPatients')}
          </Checkbox>
        )}
        {deliver.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(deliver.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
