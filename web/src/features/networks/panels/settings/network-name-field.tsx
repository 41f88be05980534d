import { networkFileLimits } from '@neuroloom/contract/limits'
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../../lib/query.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { Field } from './field.tsx'

/** What the member calls the network; the server keeps it beside the document. */
export function NetworkNameField() {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const file = useEditor((state) => state.file)
  const [draft, setDraft] = useState<string | null>(null)
  const rename = useAction('networks/rename', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: ({ name }) => {
      const { file: now, show } = store.getState()
      show({ file: { ...now, name } })
      setDraft(null)
    },
  })
  const shown = draft ?? file.name
  const isEmpty = shown.trim() === ''
  const commit = () => {
    const name = shown.trim()
    if (isEmpty) return
    if (name === file.name) return setDraft(null)
    rename.mutate({ id: file.id, name })
  }
  return (
    <Field label={t('network.name')} error={isEmpty ? t('field.empty') : null}>
      {(ids) => (
        <Input
          {...ids}
          size="small"
          value={shown}
          maxLength={networkFileLimits.nameLength}
          status={isEmpty ? 'error' : ''}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
          onPressEnter={commit}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        />
      )}
    </Field>
  )
}
