import { CopyOutlined, LockOutlined, MinusSquareOutlined } from '@ant-design/icons'
import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { ownCopy, toggleOpen } from '../../editor/blocks.ts'
import { useEditor } from '../../editor/use-editor.ts'
import { useWorkbench } from '../../editor/workbench.ts'
import type { CardNode } from '../flow.ts'
import { useActive } from '../use-active.ts'
import { stateOf } from './card.tsx'
import styles from './frame-card.module.css'
import { useItemWords } from './item-words.ts'
import { Ports } from './ports.tsx'

/** An opened block; its graph stands inside. Blocks of the library are looked at, or copied to be changed. */
export const FrameCard = memo(function FrameCard({ data }: NodeProps<CardNode>) {
  const { item, facts } = data
  const { t } = useTranslation('dripe')
  const words = useItemWords(item)
  const active = useActive(item.path)
  const bench = useWorkbench()
  const isLibrary = useEditor(({ document }) => !document.blocks.has(item.node?.op ?? ''))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={active.ref}
      className={styles.frame}
      data-frame
      data-state={stateOf(facts)}
      data-off={item.node?.off === true}
      role="group"
      tabIndex={active.tabIndex}
      aria-label={words.label(facts)}
      aria-describedby="canvas-keys"
    >
      <div className={styles.head} data-grip>
        <span className={styles.title}>{words.title}</span>
        <span className={styles.name}>{words.name}</span>
        {words.times !== '' && <span className={styles.repeat}>{words.times}</span>}
        <span className={styles.actions}>
          {isLibrary && <LockOutlined title={t('card.library')} />}
          {isLibrary && !item.isReadOnly && (
            <button
              type="button"
              tabIndex={-1}
              className={styles.button}
              aria-label={t('card.ownCopy')}
              title={t('card.ownCopy')}
              onClick={() => ownCopy(bench, item.path)}
            >
              <CopyOutlined aria-hidden /> <b>{t('card.ownCopy')}</b>
            </button>
          )}
          <button
            type="button"
            tabIndex={-1}
            className={styles.button}
            aria-label={t('card.fold')}
            title={t('card.fold')}
            onClick={() => toggleOpen(bench, item.path)}
          >
            <MinusSquareOutlined aria-hidden />
          </button>
        </span>
      </div>
      <Ports item={item} />
    </div>
  )
})
