import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Input, type InputRef } from 'antd'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canvasPath } from '../editor/paths.ts'
import type { EditorState } from '../editor/store.ts'
import { useEditor } from '../editor/use-editor.ts'
import { useWorkbench } from '../editor/workbench.ts'
import { useProblemText } from '../panels/problems/problem-text.ts'
import { useWords, type Words } from '../panels/words.ts'
import styles from './find-bar.module.css'
import { type Findable, search } from './search.ts'

/** Finds things on the canvas by name, kind of layer or mistake, and leads from one to the next. */
export function FindBar() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const input = useRef<InputRef>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const things = useThings()
  const found = useMemo(() => (query.trim() === '' ? [] : search(things, query)), [things, query])
  useEffect(() => input.current?.focus(), [])
  const close = () => {
    const { set, focus, active } = bench.screen.getState()
    set({ isFinding: false })
    focus(active)
  }
  const go = (to: number) => {
    const next = found[(to + found.length) % found.length]
    if (next === undefined) return
    setAt((to + found.length) % found.length)
    bench.store.getState().reveal(next.path)
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter')
      go(found[at]?.path === bench.screen.getState().active ? at + step(event) : at)
  }
  return (
    <search className={styles.bar} onKeyDown={handleKeyDown}>
      <Input
        ref={input}
        size="small"
        placeholder={t('find.placeholder')}
        aria-label={t('find.placeholder')}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
      />
      <span className={styles.count} role="status">
        {query.trim() === '' ? '' : t('find.count', { count: found.length })}
      </span>
      <Button
        size="small"
        type="text"
        icon={<UpOutlined />}
        aria-label={t('find.before')}
        onClick={() => go(at - 1)}
      />
      <Button
        size="small"
        type="text"
        icon={<DownOutlined />}
        aria-label={t('find.next')}
        onClick={() => go(at + 1)}
      />
      <Button
        size="small"
        type="text"
        icon={<CloseOutlined />}
        aria-label={t('find.close')}
        onClick={close}
      />
    </search>
  )
}

const step = ({ shiftKey }: KeyboardEvent): 1 | -1 => (shiftKey ? -1 : 1)

interface Thing extends Findable {
  path: string
}

function useThings(): Thing[] {
  const bench = useWorkbench()
  const words = useWords()
  const problemText = useProblemText()
  const scene = useEditor((state) => bench.sceneOf(state))
  const resolved = useEditor((state) => state.resolved)
  const document = useEditor((state) => state.document)
  return useMemo(() => {
    const told = new Map<string, string[]>()
    for (const problem of [...resolved.errors, ...resolved.warnings]) {
      const path = canvasPath(problem.node)
      told.set(path, [...(told.get(path) ?? []), problemText(problem)])
    }
    return scene.items.map(({ path, id, node }) => ({
      path,
      words: [
        id,
        ...(node === null ? [] : [node.op, titleOf(node.op, document, words)]),
        ...(told.get(path) ?? []),
      ],
    }))
  }, [scene, resolved, document, words, problemText])
}

function titleOf(op: string, { blocks }: EditorState['document'], words: Words): string {
  return words.title(op, blocks.get(op) ?? null)
}
