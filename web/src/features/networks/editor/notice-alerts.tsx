import { Alert, Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../../lib/api.ts'
import { formatDate } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { DifferenceList } from '../panels/versions/differences.tsx'
import { useDifferences } from '../panels/versions/use-comparison.ts'
import type { Journal } from './journal.ts'
import styles from './notices.module.css'
import { type Draft, staleId } from './opening.ts'
import { stepOf, textOf } from './store.ts'
import { useEditor, useEditorStore } from './use-editor.ts'

/** Saved from elsewhere in the meantime. Neither side is lost: mine becomes a copy, or stays one undo away. */
export function Conflict() {
  const { t } = useTranslation('dripe')
  const store = useEditorStore()
  const copy = useCopy(() => {
    // What was mine is safe now: this editor closes without a rest that would be offered again.
    const { document, layout, text, saved, show } = store.getState()
    show({ saved: { document, layout, text, revision: saved.revision }, saveState: 'saved' })
  })
  const [isLoading, setIsLoading] = useState(false)
  const keepMine = () => {
    const state = store.getState()
    copy.mutate({
      name: copyName(state.file.name, t('notice.copy')),
      text: textOf(state),
      layout: state.layout,
    })
  }
  const loadTheirs = async () => {
    setIsLoading(true)
    try {
      const file = await call('networks/open', { id: store.getState().file.id })
      const theirs = stepOf(file, store.getState().vocabulary)
      const { replace, show } = store.getState()
      show({ saved: { ...theirs, revision: file.revision }, saveState: 'waiting' })
      replace(theirs)
      toast.success(t('notice.loaded'))
    } catch {
      // Told by the call; the choice stays.
    }
    setIsLoading(false)
  }
  return (
    <Alert
      banner
      type="warning"
      role="alert"
      title={t('notice.conflict')}
      description={
        <>
          {t('notice.conflictText')}
          <TheirDifferences />
        </>
      }
      action={
        <div className={styles.actions}>
          <Button type="primary" loading={copy.isPending} onClick={keepMine}>
            {t('notice.keepMine')}
          </Button>
          <Button loading={isLoading} onClick={() => void loadTheirs()}>
            {t('notice.loadTheirs')}
          </Button>
        </div>
      }
    />
  )
}

/** What is different here from what was saved elsewhere, also in colour on the canvas. */
function TheirDifferences() {
  const { t } = useTranslation('dripe')
  const id = useEditor(({ file }) => file.id)
  const vocabulary = useEditor((state) => state.vocabulary)
  const { data } = useCall('networks/open', { id }, { quiet: true, gcTime: 0, staleTime: 0 })
  const theirs = useMemo(
    () => (data === undefined ? null : stepOf(data, vocabulary).document),
    [data, vocabulary],
  )
  const comparison = useDifferences(theirs)
  if (comparison === null) return null
  return (
    <section className={styles.differences} aria-label={t('notice.differs')}>
      <strong>{t('notice.differs')}</strong>
      <DifferenceList comparison={comparison} />
    </section>
  )
}

export function Restored({ draft }: { draft: Draft }) {
  const { t } = useTranslation('dripe')
  const store = useEditorStore()
  const [isShown, setIsShown] = useState(true)
  // What the server had when the editor was opened.
  const [saved] = useState(() => store.getState().saved)
  if (!isShown) return null
  const discard = () => {
    store.getState().replace(saved)
    setIsShown(false)
    toast.success(t('notice.discarded'))
  }
  return (
    <Alert
      banner
      type="info"
      title={t('notice.restored', { time: formatDate(draft.at, 'minute') })}
      closable
      onClose={() => setIsShown(false)}
      action={
        <Button size="small" onClick={discard}>
          {t('notice.discard')}
        </Button>
      }
    />
  )
}

export function Stale({ draft, journal }: { draft: Draft; journal: Journal }) {
  const { t } = useTranslation('dripe')
  const file = useEditor((state) => state.file)
  const [isShown, setIsShown] = useState(true)
  const forget = () => {
    setIsShown(false)
    journal.remove(staleId(file.id)).catch((error: unknown) => console.error(error))
  }
  const copy = useCopy(forget)
  if (!isShown) return null
  const { text, layout } = draft
  return (
    <Alert
      banner
      type="info"
      title={t('notice.stale', { time: formatDate(draft.at, 'minute') })}
      action={
        <div className={styles.actions}>
          <Button
            size="small"
            type="primary"
            loading={copy.isPending}
            onClick={() => copy.mutate({ name: copyName(file.name, t('notice.copy')), text, layout })}
          >
            {t('notice.keepCopy')}
          </Button>
          <Button size="small" onClick={forget}>
            {t('notice.forget')}
          </Button>
        </div>
      }
    />
  )
}

/** A network of its own, which is opened at once. */
function useCopy(onDone?: () => void) {
  const navigate = useNavigate()
  return useAction('networks/create', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: ({ id }) => {
      onDone?.()
      void navigate(`/dripe?id=${encodeURIComponent(id)}`)
    },
  })
}

const copyName = (name: string, copy: string): string => `${name.slice(0, 60 - copy.length - 1)} ${copy}`
