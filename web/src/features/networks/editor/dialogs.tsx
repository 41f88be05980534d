import { siblingsOf } from '@neuroloom/contract/network/edit'
import { idPattern } from '@neuroloom/contract/network/schema-map'
import { Input, Modal } from 'antd'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWords } from '../panels/words.ts'
import { group } from './blocks.ts'
import { onlyOne } from './chosen.ts'
import { rename, swap } from './commands.ts'
import styles from './dialogs.module.css'
import { KeysHelp } from './keys-help.tsx'
import { useScreen } from './screen.ts'
import { useClose } from './use-close.ts'
import { useWorkbench } from './workbench.ts'

/** The small dialogs of the canvas; one at a time. */
export function Dialogs() {
  const dialog = useScreen((screen) => screen.dialog)
  switch (dialog) {
    case null:
      return null
    case 'help':
      return <KeysHelp />
    case 'swap':
      return <SwapDialog />
    case 'rename':
    case 'group':
      return <NameDialog kind={dialog} />
  }
}

/** A new name for one thing, or a name for a new block. */
function NameDialog({ kind }: { kind: 'rename' | 'group' }) {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const close = useClose()
  const id = useId()
  const [name, setName] = useState(kind === 'rename' ? (onlyOne(bench)?.id ?? '') : 'block')
  const [isTaken, setIsTaken] = useState(false)
  const isValid = idPattern.test(name)
  const handleSubmit = (event?: FormEvent) => {
    event?.preventDefault()
    if (!isValid) return
    if (kind === 'rename' && !rename(bench, name)) return setIsTaken(true)
    close()
    if (kind === 'group') group(bench, name)
  }
  const problem = isTaken ? t('name.taken') : ''
  return (
    <Modal
      open
      title={t(`name.${kind}`)}
      okText={t(`name.${kind}Ok`)}
      cancelText={t('name.cancel')}
      okButtonProps={{ disabled: !isValid }}
      onOk={() => handleSubmit()}
      onCancel={close}
      width={420}
    >
      <form onSubmit={handleSubmit} className={styles.form}>
        <label htmlFor={id}>{t('name.label')}</label>
        <Input
          id={id}
          autoFocus
          value={name}
          maxLength={40}
          aria-describedby={`${id}-note`}
          status={isTaken || !isValid ? 'error' : ''}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setName(event.target.value.trim().toLowerCase())
            setIsTaken(false)
          }}
        />
        <p id={`${id}-note`} className={styles.note} data-wrong={isTaken || !isValid}>
          {problem || t('name.rule')}
        </p>
      </form>
    </Modal>
  )
}

/** Kindred layers in the place of this one. */
function SwapDialog() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const words = useWords()
  const close = useClose()
  const op = onlyOne(bench)?.node?.op ?? ''
  const siblings = siblingsOf(op, bench.store.getState().vocabulary)
  const choose = (next: string) => {
    close()
    swap(bench, next)
  }
  return (
    <Modal
      open
      title={t('swap.title', { title: words.title(op) })}
      footer={null}
      onCancel={close}
      width={420}
    >
      {siblings.length === 0 && <p className={styles.note}>{t('swap.none')}</p>}
      <ul className={styles.list}>
        {siblings.map((sibling, k) => (
          <li key={sibling}>
            <button
              type="button"
              className={styles.choice}
              // biome-ignore lint/a11y/noAutofocus: a dialog opens with the focus inside
              autoFocus={k === 0}
              onClick={() => choose(sibling)}
            >
              <strong>{words.title(sibling)}</strong>
              <span>{words.help(sibling)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
