import { makeLocal } from '@neuroloom/contract/network/edit/blocks'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { parentOf, placeOf } from '../editor/paths.ts'
import { useEditorStore } from '../editor/use-editor.ts'
import styles from './settings/inspector.module.css'

/** Says why nothing can be changed inside a library block, and makes a copy that can. */
export function ReadOnlyNote({ path }: { path: string }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const handleCopy = () => {
    const { document, vocabulary, edit } = store.getState()
    // The outermost use of a library block around: all that is inside comes along.
    let use = parentOf(path)
    for (let up = use; up !== ''; up = parentOf(up)) {
      const place = placeOf(document, vocabulary, up)
      use = up
      if (place !== null && !place.isReadOnly) break
    }
    const place = placeOf(document, vocabulary, use)
    if (place === null) return
    edit((before) => makeLocal(before, place.scope, place.id, vocabulary))
  }
  return (
    <div className={styles.readOnly}>
      <span>{t('inspector.readOnly')}</span>
      <Button size="small" onClick={handleCopy}>
        {t('inspector.makeLocal')}
      </Button>
    </div>
  )
}
