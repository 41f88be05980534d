import { EditOutlined } from '@ant-design/icons'
import { networkFileLimits } from '@neuroloom/contract/limits'
import { Button, Input } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import styles from './header.module.css'
import { useEditor, useEditorStore } from './use-editor.ts'

/** The network's name; pressed, it becomes a field. */
export function NetworkName() {
  const { t } = useTranslation('dripe')
  const store = useEditorStore()
  const file = useEditor((state) => state.file)
  const [draft, setDraft] = useState<string | null>(null)
  const rename = useAction('networks/rename', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: ({ name }) => store.getState().show({ file: { ...store.getState().file, name } }),
  })
  const finish = () => {
    const name = draft?.trim() ?? ''
    setDraft(null)
    if (name !== '' && name !== file.name) rename.mutate({ id: file.id, name })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setDraft(null)
  }
  if (draft !== null) {
    return (
      <Input
        autoFocus
        className={styles.field ?? ''}
        value={draft}
        maxLength={networkFileLimits.nameLength}
        aria-label={t('header.name')}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onPressEnter={finish}
        onKeyDown={handleKeyDown}
      />
    )
  }
  return (
    <h1 className={styles.name}>
      <Button type="text" className={styles.nameButton ?? ''} onClick={() => setDraft(file.name)}>
        <span className={styles.nameText}>{file.name}</span>
        <EditOutlined aria-label={t('header.rename')} />
      </Button>
    </h1>
  )
}
