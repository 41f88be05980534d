import { siblingsOf } from '@neuroloom/contract/network/edit/edit'
import { isId } from '@neuroloom/contract/network/resolve/schema-map'
import { Modal } from 'antd'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWords } from '../panels/words.ts'
import { nameOf, onlyOne } from './chosen.ts'
import { rename, swap } from './commands.ts'
import styles from './dialogs.module.css'
import { GroupDialog } from './group-dialog.tsx'
import { KeysHelp } from './keys-help.tsx'
import { NameInput } from './name-input.tsx'
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
      return <RenameDialog />
    case 'group':
      return <GroupDialog />
  }
}

/** Another name for one thing. */
function RenameDialog() {
  const { t } = useTranslation('dripe')
  const bench = useWorkbench()
  const close = useClose()
  const id = useId()
  const item = onlyOne(bench)
  const [name, setName] = useState(item === null ? '' : nameOf(item))
  const [isTaken, setIsTaken] = useState(false)
  const isValid = isId(name)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isValid) return
    if (!rename(bench, name)) return setIsTaken(true)
    close()
  }
  return (
    <Modal
      open
      title={t('name.rename')}
      okText={t('name.renameOk')}
      cancelText={t('name.cancel')}
      okButtonProps={{ disabled: !isValid, htmlType: 'submit', form: id }}
      onCancel={close}
      width={420}
    >
      <form id={id} onSubmit={handleSubmit} className={styles.form}>
        <NameInput
          name={name}
          isWrong={isTaken || !isValid}
          note={isTaken ? t('name.taken') : t('name.rule')}
          onChange={(next) => {
            setName(next)
            setIsTaken(false)
          }}
        />
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
  const list = useRef<HTMLUListElement>(null)
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
      afterOpenChange={(isOpen) => {
        if (isOpen) list.current?.querySelector('button')?.focus()
      }}
      width={420}
    >
      {siblings.length === 0 && <p className={styles.note}>{t('swap.none')}</p>}
      <ul ref={list} className={styles.list}>
        {siblings.map((sibling) => (
          <li key={sibling}>
            <button type="button" className={styles.choice} onClick={() => choose(sibling)}>
              <strong>{words.title(sibling)}</strong>
              <span>{words.help(sibling)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
