import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './dialogs.module.css'
import { shownKeys } from './keys.ts'
import { useClose } from './use-close.ts'

/** All keys of the editor, and what mouse and fingers do. */
export function KeysHelp() {
  const { t } = useTranslation('dripe')
  const close = useClose()
  return (
    <Modal open title={t('help.title')} footer={null} onCancel={close} width={760}>
      <KeyList />
    </Modal>
  )
}

/** Also for the list of the whole workspace. */
export function KeyList() {
  const { t } = useTranslation('dripe')
  return (
    <>
      <dl className={styles.keys}>
        {shownKeys.map(({ name, keys }) => (
          <div key={name}>
            <dt>
              {keys.split('+').map((key) => (
                <kbd key={key}>{key === ' ' ? t('help.space') : (keyNames[key] ?? key.toUpperCase())}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${name}`)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{t('help.mouse')}</p>
      <p className={styles.note}>{t('help.touch')}</p>
    </>
  )
}

const isMac = navigator.userAgent.includes('Mac')

/** As they stand on keyboards everywhere. */
const keyNames: Record<string, string> = {
  ctrl: isMac ? '⌘' : 'Ctrl',
  shift: '⇧',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: '↵',
  escape: 'Esc',
  delete: 'Del',
}
