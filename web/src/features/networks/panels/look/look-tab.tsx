import { EyeOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { Seen } from '@neuroloom/contract/networks'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../../../lib/api.ts'
import { useAction } from '../../../../lib/query.ts'
import { textOf } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { BrokenNote } from '../broken-note.tsx'
import panel from '../panel.module.css'
import styles from './look.module.css'
import { type LookImage, LookImageChoice } from './look-image-choice.tsx'
import { lookNodes } from './look-nodes.ts'
import { LookWeights } from './look-weights.tsx'
import { SeenNode } from './seen-node.tsx'

/** One image flows through the network, and every layer shows what it makes of it. */
export function LookTab() {
  const { t } = useTranslation('dripe-panels')
  const isBroken = useEditor(({ resolved }) => resolved.plan === null)
  const [image, setImage] = useState<LookImage>({ from: 'sample' })
  const [runId, setRunId] = useState<string | null>(null)
  const { look, start, hide, isStale } = useLook()
  if (isBroken) return <BrokenNote />
  return (
    <div className={panel.panel}>
      <p className={panel.note}>{t('look.help')}</p>
      <section className={panel.section} aria-label={t('look.settings')}>
        <LookImageChoice image={image} onChoose={setImage} />
        <LookWeights runId={runId} onChoose={setRunId} />
        <Button
          type="primary"
          icon={<EyeOutlined aria-hidden />}
          loading={look.isPending}
          onClick={() => start(image, runId)}
        >
          {look.data === undefined ? t('look.start') : t('look.again')}
        </Button>
        {look.isError ? <Alert type="error" showIcon title={messageOf(look.error)} /> : null}
        {isStale ? <Alert type="info" showIcon title={t('look.stale')} /> : null}
      </section>
      {look.data === undefined || look.isPending || isStale ? null : (
        <Result answer={look.data} onHide={hide} />
      )}
    </div>
  )
}

function useLook() {
  const store = useEditorStore()
  const seen = useEditor((state) => state.seen)
  const [asked, setAsked] = useState<ReadonlyMap<string, string>>(new Map())
  const look = useAction('networks/look', {
    refresh: [],
    quiet: true,
    onDone: ({ seen: maps }) => {
      const found = new Map<string, Seen>()
      for (const one of maps) found.set(asked.get(one.node) ?? one.node, one)
      store.getState().show({ seen: found })
    },
  })
  const start = (image: LookImage, runId: string | null) => {
    const state = store.getState()
    const nodes = lookNodes(state.document, state.vocabulary, { ...state.layout, selection: state.selection })
    setAsked(nodes)
    look.mutate({ text: textOf(state), nodes: [...nodes.keys()], image, runId })
  }
  const hide = () => {
    look.reset()
    store.getState().show({ seen: null })
  }
  return { look, start, hide, isStale: look.isSuccess && seen === null }
}

function Result({ answer, onHide }: { answer: Answer<'networks/look'>; onHide: () => void }) {
  const { t } = useTranslation('dripe-panels')
  const selection = useEditor((state) => state.selection)
  const seen = useEditor((state) => state.seen)
  const [selected] = selection
  const maps = selected === undefined ? undefined : seen?.get(selected)
  const values = answer.values.find(({ node }) => node === selected)
  return (
    <section className={panel.section} aria-label={t('look.result')}>
      <figure className={styles.given}>
        <img src={answer.image} alt={t('look.given')} />
        <figcaption>
          {t('look.given')}
          <Button size="small" type="link" onClick={onHide}>
            {t('look.hide')}
          </Button>
        </figcaption>
      </figure>
      <SeenNode name={selected} seen={maps} values={values?.values} />
    </section>
  )
}
