import { useMemo } from 'react'
import { textOf } from '../editor/store.ts'
import { useEditor } from '../editor/use-editor.ts'
import styles from './code.module.css'

/** The network as text. */
export function CodeSide() {
  const text = useEditor((state) => state.text)
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const shown = useMemo(() => textOf({ text, document, vocabulary }), [text, document, vocabulary])
  return <pre className={styles.text}>{shown}</pre>
}
