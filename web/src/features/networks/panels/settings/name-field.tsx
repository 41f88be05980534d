import { renameNode } from '@neuroloom/contract/network/edit/edit'
import { isFreeName } from '@neuroloom/contract/network/edit/names'
import { isId } from '@neuroloom/contract/network/resolve/schema-map'
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renamed } from '../../editor/arranging.ts'
import { parentOf } from '../../editor/paths.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { Field } from './field.tsx'
import type { SelectedNode } from './selected.ts'

/** The name of a node in its graph; all that refers to it follows. */
export function NameField({ node }: { node: SelectedNode }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const document = useEditor((state) => state.document)
  const { scope, id, path, isReadOnly } = node
  const handleRename = (next: string) => {
    const parent = parentOf(path)
    const nextPath = parent === '' ? next : `${parent}/${next}`
    store.getState().edit((before) => renameNode(before, scope, id, next), {
      arrange: (layout) => renamed(layout, path, nextPath),
      select: [nextPath],
    })
  }
  return (
    <IdField
      label={t('frame.name')}
      id={id}
      isReadOnly={isReadOnly}
      isFree={(next) => isFreeName(document, scope, next)}
      onRename={handleRename}
    />
  )
}

type IdFieldProps = {
  label: string
  id: string
  isReadOnly?: boolean
  isFree: (next: string) => boolean
  /** What to say of a well-formed name that is not free. */
  takenText?: string
  hasFocus?: boolean
  onRename: (next: string) => void
}

/** A name is taken over when the field is left, or with Enter: half a name would be a name, too. */
export function IdField({ label, id, isFree, onRename, ...rest }: IdFieldProps) {
  const { isReadOnly = false, takenText, hasFocus = false } = rest
  const { t } = useTranslation('dripe-panels')
  const [draft, setDraft] = useState<string | null>(null)
  const shown = draft ?? id
  const isSame = shown === id
  const taken = takenText ?? t('frame.nameTaken')
  const error = isSame || isFree(shown) ? null : nameProblem(shown, t('frame.nameRule'), taken)
  const commit = () => {
    if (error !== null) return
    setDraft(null)
    if (!isSame) onRename(shown)
  }
  return (
    <Field label={label} error={error}>
      {(ids) => (
        <Input
          {...ids}
          size="small"
          value={shown}
          autoFocus={hasFocus}
          readOnly={isReadOnly}
          spellCheck={false}
          autoComplete="off"
          status={error === null ? '' : 'error'}
          onChange={(event) =>
            setDraft(event.target.value.normalize('NFKC').toLowerCase().replace(/[\s-]/g, '_'))
          }
          onBlur={commit}
          onPressEnter={(event) => {
            // The same key must not press the button that has the focus afterwards.
            event.preventDefault()
            commit()
          }}
          onKeyDown={(event) => event.key === 'Escape' && setDraft(null)}
        />
      )}
    </Field>
  )
}

function nameProblem(name: string, rule: string, taken: string): string {
  return isId(name) ? taken : rule
}
